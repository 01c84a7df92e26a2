# The day of an owner by curl, as a person types it. `$SITE` is the address of the server, `$SECRET` what the printed link has behind `#`.

#= choose the password
curl -sSf "$SITE/@users/admin/reset-password" -H "$JSON" -d "{\"reset_token\": \"$SECRET\", \"new_password\": \"$PASSWORD\"}"
TOKEN=$(curl -sSf "$SITE/@login" -H "$JSON" -d "{\"login\": \"admin\", \"password\": \"$PASSWORD\"}" | jq -r .token)
AUTH="Authorization: Bearer $TOKEN"

#= a site from an export
ID=$(curl -sSf "$SITE/@imports?filename=old-site.zip" -H "$AUTH" -H 'Content-Type: application/octet-stream' --data-binary "@$ARCHIVE" | jq -r .id)
curl -sSf "$SITE/@imports/$ID/start" -H "$AUTH" -H "$JSON" -d '{"dry_run": true}'
until curl -sSf "$SITE/@imports/$ID" -H "$AUTH" | jq -e '.job.finished'; do sleep 1; done
curl -sSf "$SITE/@imports/$ID" -H "$AUTH" | jq .report.reasons
curl -sSf "$SITE/@imports/$ID/start" -H "$AUTH" -H "$JSON" -d '{}'
until curl -sSf "$SITE/@imports/$ID" -H "$AUTH" | jq -e '.job.finished'; do sleep 1; done
curl -sSf "$SITE/@imports/$ID" -H "$AUTH" | jq -e '.job.status == "completed"'

#= two reviewers and their groups
curl -sSf "$SITE/@groups" -H "$AUTH" -H "$JSON" -d '{"groupname": "editors-in-chief", "title": "Editors in chief"}'
curl -sSf "$SITE/@groups" -H "$AUTH" -H "$JSON" -d '{"groupname": "lawyers", "title": "Lawyers"}'

#= a new role
curl -sSf "$SITE/@roles" -H "$AUTH" -H "$JSON" -d '{"id": "Translator", "title": "Translator"}'
curl -sSf -X PATCH "$SITE/@permissions" -H "$AUTH" -H "$JSON" -d '{"Manage translations": {"Translator": true}}'

#= a workflow with two reviewers
curl -sSf "$SITE/@workflows" -H "$AUTH" -H "$JSON" -d '{"id": "two_reviewers", "title": "Two reviewers", "copy_of": "simple_publication_workflow"}' > "$FOLDER/workflow.json"
jq '{states: {
    with_the_lawyers: {title: "With the lawyers", transitions: ["publish"], permissions: .states.pending.permissions},
    pending: {transitions: (.states.pending.transitions - ["publish"] + ["pass_on"])},
    private: {transitions: (.states.private.transitions - ["publish"])}},
  transitions: {
    pass_on: {title: "Pass on", new_state: "with_the_lawyers", guard: {permissions: ["Review portal content"], groups: ["editors-in-chief"]}},
    publish: {guard: {groups: ["lawyers"]}}}}' "$FOLDER/workflow.json" > "$FOLDER/two-reviewers.json"
curl -sSf -X PATCH "$SITE/@workflows/two_reviewers" -H "$AUTH" -H "$JSON" -d "@$FOLDER/two-reviewers.json"
curl -sSf -X PATCH "$SITE/@workflow-types" -H "$AUTH" -H "$JSON" -d '{"News Item": {"workflow": "two_reviewers"}}'

#= a rule with a webhook
curl -sSf "$SITE/@controlpanels/content-rules" -H "$AUTH" -H "$JSON" -d '{"title": "Tell the town", "event": "onAfterPublish"}'
curl -sSf "$SITE/@controlpanels/content-rules/tell-the-town/action" -H "$AUTH" -H "$JSON" -d '{"type": "webhook", "url": "https://town.example.org/changed", "method": "POST", "body": ""}'
curl -sSf "$SITE/news/@content-rules/tell-the-town" -H "$AUTH" -H "$JSON" -d '{}'

#= a token for a part of the site
curl -sSf "$SITE/@access-tokens" -H "$AUTH" -H "$JSON" -d '{"name": "The screen in the hall", "methods": ["GET"], "subtrees": ["/news"]}'

#= a page found by search, published, undone
curl -sSf "$SITE/@search?SearchableText=about" -H "$AUTH" | jq '.items[]["@id"]'
curl -sSf "$SITE/about-us/@workflow/publish" -H "$AUTH" -H "$JSON" -d '{}'
CHANGE=$(curl -sSf "$SITE/@transactions" -H "$AUTH" | jq '.[0].id // .items[0].id')
curl -sSf -X PATCH "$SITE/@transactions" -H "$AUTH" -H "$JSON" -d "{\"transaction_ids\": [$CHANGE]}"
curl -sSf "$SITE/about-us" -H "$AUTH" | jq -e '.review_state == "private"'

#= a backup that fails, repaired
curl -sSf "$SITE/@scheduled-jobs/canopy-backup/start" -H "$AUTH" -H "$JSON" -d '{}'
until curl -sSf "$SITE/@jobs" -H "$AUTH" | jq -e '.[0].finished'; do sleep 1; done
curl -sSf "$SITE/@jobs" -H "$AUTH" | jq -r '.[0].error'
rm "$BACKUPS"
JOB=$(curl -sSf "$SITE/@jobs" -H "$AUTH" | jq -r '.[0].uuid')
curl -sSf "$SITE/@jobs/$JOB/retry" -H "$AUTH" -H "$JSON" -d '{}'
until curl -sSf "$SITE/@jobs" -H "$AUTH" | jq -e '.[0].finished'; do sleep 1; done
curl -sSf "$SITE/@jobs" -H "$AUTH" | jq -e '.[0].status == "completed"'

#= an upgrade that waits
install_next
curl -sSf "$SITE/@upgrade" -H "$AUTH" | jq .versions
curl -sSf "$SITE/@upgrade" -H "$AUTH" -H "$JSON" -d '{"dry_run": true}' | jq -r .report
curl -sSf "$SITE/@upgrade" -H "$AUTH" -H "$JSON" -d '{"dry_run": false}'
curl -sSf "$SITE/@upgrade" -H "$AUTH" | jq -e '.versions.fs == .versions.instance'

#= a second factor
TOTP=$(curl -sSf "$SITE/@totp" -H "$AUTH" -H "$JSON" -d "{\"password\": \"$PASSWORD\"}" | jq -r .secret)
curl -sSf "$SITE/@totp/confirm" -H "$AUTH" -H "$JSON" -d "{\"password\": \"$PASSWORD\", \"otp\": \"$(code_of "$TOTP")\"}"
curl -sSf "$SITE/@totp" -H "$AUTH" | jq -e .enabled
