import { Notice } from '../components/page.tsx';

export default () => <Notice title="This page is not public" />;
