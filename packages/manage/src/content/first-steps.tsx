import { linkTo } from '../lib/route.ts';
import { say } from '../lib/say.ts';
import { publicAddress } from '../lib/site.ts';
import { Link } from '../parts/link.tsx';
import { Panel } from '../parts/page.tsx';

/** The ways on from a new site. */
export const FirstSteps = () => (
  <Panel title={say('First steps')}>
    <ul className="bare">
      <li>
        <Link to={linkTo(['settings', 'site'])}>{say('Give the site its title')}</Link>
      </li>
      <li>
        <Link to={linkTo('content')}>{say('Add content')}</Link>
      </li>
      <li>
        <a href={`${publicAddress('/')}@docs`}>{say('API description')}</a>
      </li>
      <li>
        {say('Bring in an export, with the server stopped:')} <code>npx canopy-server import export/</code>
      </li>
      <li>
        {say('Write pages with Volto:')} <code>npm create canopy-server my-site -- --front-end volto</code>
      </li>
    </ul>
  </Panel>
);
