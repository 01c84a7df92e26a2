# Fills the site with the documents of the day. zconsole runs it with `app`, the root of the database. DAY_DOCUMENTS is a file with one
# document a line, containers before what they contain: {"parent", "id", "data"}, as plone.restapi takes them.
from AccessControl import SpecialUsers
from AccessControl.SecurityManagement import newSecurityManager
from base64 import b64decode
from plone import api
from plone.base.interfaces.syndication import ISiteSyndicationSettings
from plone.dexterity.utils import addContentToContainer
from plone.dexterity.utils import createContent
from plone.namedfile.file import NamedBlobImage
from Testing.makerequest import makerequest
from zope.component.hooks import setSite
from zope.globalrequest import setRequest

import json
import os
import transaction

# Documents of one transaction: what it changes is in memory until then.
BATCH = 500
# Names of Canopy's default profile as the types of Plone. A Document contains others in the distribution for Volto.
TYPES = {"Page": "Document", "Folder": "Document"}

app = makerequest(app)  # noqa: F821
setRequest(app.REQUEST)
newSecurityManager(None, SpecialUsers.system)
site = app["Plone"]
setSite(site)

workflow = api.portal.get_tool("portal_workflow")
document_type = api.portal.get_tool("portal_types")["Document"]
behaviors = document_type.behaviors
# First versions take two fifths of the time, and no request of the day reads them. Changed documents have versions.
document_type.behaviors = tuple(name for name in behaviors if name != "plone.versioning")


def fields_of(data):
    data = dict(data)
    portal_type = TYPES.get(data["@type"], data["@type"])
    del data["@type"]
    if "subjects" in data:
        data["subject"] = tuple(data.pop("subjects"))
    if "image" in data:
        image = data["image"]
        data["image"] = NamedBlobImage(
            data=b64decode(image["data"]), contentType=image["content-type"], filename=image["filename"]
        )
    return portal_type, data


api.portal.set_registry_record("default_enabled", True, interface=ISiteSyndicationSettings)
count = 0
with open(os.environ["DAY_DOCUMENTS"]) as lines:
    for line in lines:
        document = json.loads(line)
        portal_type, data = fields_of(document["data"])
        container = site.unrestrictedTraverse(document["parent"].lstrip("/")) if document["parent"] else site
        made = addContentToContainer(
            container, createContent(portal_type, id=document["id"], **data), checkConstraints=False
        )
        if made.getId() != document["id"]:
            raise RuntimeError(f"{document['id']} was made as {made.getId()}")
        if workflow.getChainFor(made):
            workflow.doActionFor(made, "publish")
        count += 1
        if count % BATCH == 0:
            transaction.commit()
            app._p_jar.cacheMinimize()
            print(f"{count} documents", flush=True)
document_type.behaviors = behaviors
transaction.commit()
print(f"The site has {count} documents of the day.")
