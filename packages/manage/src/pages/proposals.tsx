import { useState } from 'react';
import type { ViewProps } from '../app.tsx';
import { describedBy, Field } from '../form/field.tsx';
import { useAction, useData } from '../lib/data.ts';
import { dateTime } from '../lib/format.ts';
import { go, linkTo, route } from '../lib/route.ts';
import { message, say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';
import { useStore } from '../lib/store.ts';
import { Above } from '../parts/above.tsx';
import { Button } from '../parts/button.tsx';
import { type Change, Changes } from '../parts/changes.tsx';
import { Link } from '../parts/link.tsx';
import { ServiceTable } from '../parts/list-page.tsx';
import { ErrorNotice, Notice, Ready } from '../parts/notice.tsx';
import { OneField } from '../parts/one-field.tsx';
import { Badge, Page, Panel } from '../parts/page.tsx';
import { Select } from '../parts/select.tsx';
import { onConflict, SideSelect } from '../parts/side-select.tsx';
import { StateBadge, type States } from '../parts/state-badge.tsx';

type ProposalEntry = {
  id: string;
  title: string;
  state: string;
  creator: string;
  created: string;
  out_of_date: boolean;
  targets: { path: string }[];
};
type Proposal = ProposalEntry & {
  comment: string;
  changed: string;
  may_approve: boolean;
  decided_by: string | null;
  decision: string | null;
  requests: { method: string; path: string }[];
  comments: { id: string; author: string | null; created: string; text: string }[];
  changes: Change[];
  conflicts: unknown[];
  problem: { message: string } | null;
};

const STATES: States = {
  pending: { title: message('Waits for a decision'), kind: 'info' },
  approved: { title: message('Approved'), kind: 'good' },
  rejected: { title: message('Rejected'), kind: 'bad' },
  withdrawn: { title: message('Withdrawn'), kind: 'plain' },
  expired: { title: message('Expired'), kind: 'plain' },
};

const State = ({ of }: { of: string }) => <StateBadge states={STATES} of={of} />;

function ProposalList() {
  const state = useStore(route).query.get('state') ?? 'pending';
  return (
    <Page title={say('Proposals')} lead={say('Changes that somebody hands in and somebody else makes.')}>
      <div className="tools">
        <Select
          label={say('State')}
          value={state}
          options={[
            ...Object.entries(STATES).map(([id, { title }]) => [id, say(title)] as const),
            ['all', say('All of them')],
          ]}
          onChange={(next) => go(linkTo('proposals', { state: next }))}
        />
      </div>
      <ServiceTable<ProposalEntry>
        key={state}
        service="@proposals"
        query={{ state }}
        caption={say('Proposals')}
        columns={[
          {
            id: 'title',
            title: say('Title'),
            cell: ({ id, title, out_of_date: isOld }) => (
              <>
                <Link to={linkTo(['proposals', id])} className="name">
                  {title}
                </Link>{' '}
                {isOld && <Badge kind="info">{say('Others have changed the content since')}</Badge>}
              </>
            ),
          },
          {
            id: 'where',
            title: say('Where'),
            cell: ({ targets }) => <span className="path">{targets.map(({ path }) => path).join(', ')}</span>,
          },
          { id: 'who', title: say('User'), cell: ({ creator }) => creator },
          { id: 'time', title: say('Created'), cell: ({ created }) => dateTime(created) },
          { id: 'state', title: say('State'), cell: ({ state: own }) => <State of={own} /> },
        ]}
        keyOf={({ id }) => id}
        empty={say('There is nothing to decide.')}
      />
    </Page>
  );
}

function Decision({ proposal, isOwn, reload }: { proposal: Proposal; isOwn: boolean; reload: () => void }) {
  const [comment, setComment] = useState('');
  const [side, setSide] = useState('');
  const action = useAction();
  const decide = async (how: 'approve' | 'reject' | 'withdraw', body: object): Promise<void> => {
    if (await action.run(() => ask('POST', `@proposals/${encodeURIComponent(proposal.id)}/${how}`, { body }))) reload();
  };
  const approve = { comment, changed: proposal.changed, ...onConflict(side) };
  return (
    <Panel title={say('Decision')}>
      <ErrorNotice error={action.error} />
      {proposal.conflicts.length > 0 && <SideSelect mine={say('the proposal')} value={side} onChange={setSide} />}
      <Field id="decision" title={say('Reasons')} help={say('Needed to reject it.')}>
        <textarea
          {...describedBy('decision', { help: 'help' })}
          rows={3}
          value={comment}
          onChange={({ target }) => setComment(target.value)}
        />
      </Field>
      <div className="actions">
        {proposal.may_approve && (
          <>
            <Button kind="primary" isDisabled={action.isBusy} onPress={() => void decide('approve', approve)}>
              {say('Approve')}
            </Button>
            <Button
              isDisabled={action.isBusy || comment.trim() === ''}
              onPress={() => void decide('reject', { comment })}
            >
              {say('Reject')}
            </Button>
          </>
        )}
        {isOwn && (
          <Button isDisabled={action.isBusy} onPress={() => void decide('withdraw', {})}>
            {say('Withdraw')}
          </Button>
        )}
      </div>
    </Panel>
  );
}

function Comments({ proposal, reload }: { proposal: Proposal; reload: () => void }) {
  const action = useAction();
  const send = async (text: string): Promise<boolean> => {
    const service = `@proposals/${encodeURIComponent(proposal.id)}/comments`;
    const isSent = await action.run(() => ask('POST', service, { body: { text } }));
    if (isSent) reload();
    return isSent;
  };
  return (
    <Panel title={say('Comments')}>
      <ErrorNotice error={action.error} />
      <ul className="bare">
        {proposal.comments.map(({ id, author, created, text: said }) => (
          <li key={id}>
            <strong>{author}</strong> <span className="soft">{dateTime(created)}</span> {said}
          </li>
        ))}
      </ul>
      <OneField label={say('Comment')} button={say('Add')} onSend={send} isBusy={action.isBusy} />
    </Panel>
  );
}

function ProposalPage({ id, userId }: { id: string; userId: string }) {
  const proposal = useData(`proposal ${id}`, (signal) =>
    ask<Proposal>('GET', `@proposals/${encodeURIComponent(id)}`, { signal }),
  );
  const isOwn = proposal.data?.creator === userId;
  return (
    <Page
      title={proposal.data?.title ?? say('Proposal')}
      lead={
        proposal.data && (
          <>
            <State of={proposal.data.state} /> {proposal.data.creator} {dateTime(proposal.data.created)}
          </>
        )
      }
      above={<Above view="proposals" title={say('Proposals')} />}
    >
      <Ready of={proposal}>
        {(data) => (
          <>
            {data.comment !== '' && <p>{data.comment}</p>}
            {data.problem && <Notice kind="bad">{data.problem.message}</Notice>}
            {data.decided_by !== null && (
              <Notice kind="info">
                {data.decided_by}: {data.decision}
              </Notice>
            )}
            {data.state === 'pending' && <Changes changes={data.changes} />}
            {data.state === 'pending' && (data.may_approve || isOwn) && (
              <Decision proposal={data} isOwn={isOwn} reload={proposal.reload} />
            )}
            <Comments proposal={data} reload={proposal.reload} />
          </>
        )}
      </Ready>
    </Page>
  );
}

/** The queue of proposals that the user sees, and one of them. */
export default function ProposalsPage({ me }: ViewProps) {
  const { item } = useStore(route);
  return item === undefined ? <ProposalList /> : <ProposalPage key={item} id={item} userId={me.id} />;
}
