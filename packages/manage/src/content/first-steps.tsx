import { useState } from 'react';
import { useAction } from '../lib/data.ts';
import { linkTo } from '../lib/route.ts';
import { say } from '../lib/say.ts';
import { ask, publicAddress } from '../lib/site.ts';
import { Button } from '../parts/button.tsx';
import { Link } from '../parts/link.tsx';
import { ErrorNotice, Notice } from '../parts/notice.tsx';
import { Panel } from '../parts/page.tsx';

/** Makes a small site in one request, in the language of the page: the content that there is stays. */
async function makeExample(): Promise<void> {
  const { exampleRequests } = await import('./example-site.ts');
  await ask('POST', '@batch', { body: { requests: await exampleRequests() } });
}

/** Content to begin with, made at a press. */
function Example({ onMade }: { onMade: () => void }) {
  const [isMade, setMade] = useState(false);
  const action = useAction();
  const make = async (): Promise<void> => {
    if (!(await action.run(makeExample))) return;
    setMade(true);
    onMade();
  };
  if (isMade)
    return (
      <Notice kind="good">
        {say('The example site is made.')} <Link to={linkTo('content')}>{say('All content')}</Link>
      </Notice>
    );
  return (
    <>
      <ErrorNotice error={action.error} />
      <Button kind="primary" isDisabled={action.isBusy} onPress={() => void make()}>
        {say('Make an example site')}
      </Button>{' '}
      <span className="soft">{say('Some pages, news and an event. “Undo” takes them back.')}</span>
    </>
  );
}

/** The ways on from a new site. */
export const FirstSteps = ({ onMade }: { onMade: () => void }) => (
  <Panel title={say('First steps')}>
    <ul className="bare steps">
      <li>
        <Example onMade={onMade} />
      </li>
      <li>
        <Link to={linkTo(['settings', 'site'])}>{say('Give the site its title')}</Link>
      </li>
      <li>
        <Link to={linkTo('content')}>{say('Add content')}</Link>
      </li>
      <li>
        <Link to={linkTo('imports')}>{say('Import an export')}</Link>{' '}
        <span className="soft">{say('Of Plone, WordPress or another site of this server.')}</span>
      </li>
      <li>
        {say('Write pages with Volto:')} <code>npm create canopy-server my-site -- --front-end volto</code>
      </li>
      <li>
        <a href={`${publicAddress('/')}@docs`}>{say('API description')}</a>
      </li>
    </ul>
  </Panel>
);
