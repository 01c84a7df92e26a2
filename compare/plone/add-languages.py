# Makes the site one of several languages, without folders: those come with an import. zconsole runs it with `app`, the root of the database.
from AccessControl import SpecialUsers
from AccessControl.SecurityManagement import newSecurityManager
from plone import api
from Testing.makerequest import makerequest
from zope.component.hooks import setSite
from zope.globalrequest import setRequest

import transaction

app = makerequest(app)  # noqa: F821
setRequest(app.REQUEST)
newSecurityManager(None, SpecialUsers.system)

site = app["Plone"]
setSite(site)
# While there is one language only, the profile makes no folders.
site.portal_setup.runAllImportStepsFromProfile("profile-plone.app.multilingual:default")
api.portal.set_registry_record("plone.available_languages", ["en", "de"])
transaction.commit()
print("The site has its languages.")
