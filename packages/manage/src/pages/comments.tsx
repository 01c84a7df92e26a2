import { useState } from 'react';
import { useAction } from '../lib/data.ts';
import { dateTime } from '../lib/format.ts';
import { go, linkTo, route } from '../lib/route.ts';
import { message, say } from '../lib/say.ts';
import { ask, pathOf, site } from '../lib/site.ts';
import { useStore } from '../lib/store.ts';
import { Button } from '../parts/button.tsx';
import { Link } from '../parts/link.tsx';
import { ServiceTable } from '../parts/list-page.tsx';
import { ErrorNotice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { RemoveButton } from '../parts/remove-button.tsx';
import { Select } from '../parts/select.tsx';
import { StateBadge, type States } from '../parts/state-badge.tsx';

type Comment = {
  '@id': string;
  description: string;
  in_response_to: string;
  author_name: string | null;
  created: string;
  review_state: string;
  is_deletable: boolean;
};

const STATES: States = {
  pending: { title: message('Waits for a decision'), kind: 'info' },
  published: { title: message('Published'), kind: 'good' },
  rejected: { title: message('Rejected'), kind: 'bad' },
};

/** The service of a comment, as seen from the site root. */
const serviceOf = ({ '@id': address }: Comment): string => (site().pathOf(address) ?? address).replace(/^\//, '');

/** The path of the content that a comment is about. */
const placeOf = ({ '@id': address }: Comment): string => pathOf(address.replace(/\/@comments\/.*$/, '')) || '/';

/** Comments of the whole site for those who review them, the newest first. */
export default function CommentsPage() {
  const state = useStore(route).query.get('state') ?? 'pending';
  const [version, setVersion] = useState(0);
  const action = useAction();
  const decide = async (comment: Comment, how: 'publish' | 'reject'): Promise<void> => {
    if (await action.run(() => ask('POST', `${serviceOf(comment)}/@workflow/${how}`, { body: {} })))
      setVersion(version + 1);
  };
  return (
    <Page title={say('Comments')} lead={say('Of the whole site, the newest first.')}>
      <ErrorNotice error={action.error} />
      <div className="tools">
        <Select
          label={say('State')}
          value={state}
          options={Object.entries(STATES).map(([id, { title }]) => [id, say(title)])}
          onChange={(next) => go(linkTo('comments', { state: next }))}
        />
      </div>
      <ServiceTable<Comment>
        key={state}
        service="@search"
        searchBy="SearchableText"
        query={{
          ...{ portal_type: 'Discussion Item', review_state: state, fullobjects: 1 },
          ...{ sort_on: 'created', sort_order: 'descending' },
        }}
        version={version}
        caption={say('Comments')}
        columns={[
          { id: 'text', title: say('Comment'), cell: ({ description }) => description },
          {
            id: 'where',
            title: say('Where'),
            cell: (comment) => <Link to={linkTo('content', { path: placeOf(comment) })}>{comment.in_response_to}</Link>,
          },
          { id: 'who', title: say('User'), cell: ({ author_name: name }) => name ?? say('Visitor') },
          { id: 'time', title: say('Created'), cell: ({ created }) => dateTime(created) },
          {
            id: 'state',
            title: say('State'),
            cell: ({ review_state: own }) => <StateBadge states={STATES} of={own} />,
          },
          {
            id: 'do',
            title: '',
            cell: (comment) => (
              <div className="actions">
                {comment.review_state !== 'published' && (
                  <Button
                    kind="quiet"
                    isDisabled={action.isBusy}
                    label={say('Publish: {name}', { name: comment.description })}
                    onPress={() => void decide(comment, 'publish')}
                  >
                    {say('Publish')}
                  </Button>
                )}
                {comment.review_state !== 'rejected' && (
                  <Button
                    kind="quiet"
                    isDisabled={action.isBusy}
                    label={say('Reject: {name}', { name: comment.description })}
                    onPress={() => void decide(comment, 'reject')}
                  >
                    {say('Reject')}
                  </Button>
                )}
                {comment.is_deletable && (
                  <RemoveButton
                    name={comment.description}
                    isQuiet
                    remove={() => ask('DELETE', serviceOf(comment))}
                    onRemoved={() => setVersion(version + 1)}
                  >
                    {say('Replies to it go as well.')}
                  </RemoveButton>
                )}
              </div>
            ),
          },
        ]}
        keyOf={({ '@id': id }) => id}
        empty={say('There is nothing to decide.')}
      />
    </Page>
  );
}
