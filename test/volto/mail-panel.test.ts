import { expect, it } from 'vitest';
import { describeQuickestEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';

describeQuickestEngine('the mail panel on a site with Plone’s names', (engine) => {
  const site = useTestSite(engine, () => ({ profile: 'plone' }));

  it('the mail panel of a Plone site has Plone’s names, asks for no server, and takes Nick’s names too', async () => {
    const { body } = await site.request('GET', '/@controlpanels/mail');
    expect(Object.keys(body.schema.properties)).toEqual(Object.keys(body.data));
    expect(body.schema.properties).toMatchObject({ smtp_host: {}, smtp_port: {}, smtp_userid: {}, smtp_pass: {} });
    expect(body.schema.properties).not.toHaveProperty('host');
    expect(body.schema.required).toEqual(['smtp_port', 'email_from_name', 'email_from_address']);
    const sent = { ...body.data, email_from_name: 'The Town', email_from_address: 'town@example.org' };
    expect((await site.request('PATCH', '/@controlpanels/mail', { json: sent })).status).toBe(204);
    expect((await site.request('PATCH', '/@controlpanels/mail', { json: { host: 'mx.example.org' } })).status).toBe(
      204,
    );
    expect((await site.request('GET', '/@controlpanels/mail')).body.data.smtp_host).toBe('mx.example.org');
  });
});
