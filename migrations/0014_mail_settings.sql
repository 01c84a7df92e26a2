-- The settings of the mail server have the names that they have in Plone.
update configuration set data = (
    select jsonb_object_agg(case key when 'host' then 'smtp_host' when 'port' then 'smtp_port' when 'user' then 'smtp_userid'
      when 'pass' then 'smtp_pass' else key end, value)
    from jsonb_each(data))
  where kind = 'setting' and id = 'mail' and data ?| array['host', 'port', 'user', 'pass']
    and not data ?| array['smtp_host', 'smtp_port', 'smtp_userid', 'smtp_pass'];
