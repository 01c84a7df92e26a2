import { Notice } from '../components/page.tsx';

export default () => <Notice title="There is no such page" />;
