# Makes the site that Canopy is compared with. zconsole runs it with `app`, the root of a new database.
from AccessControl import SpecialUsers
from AccessControl.SecurityManagement import newSecurityManager
from plone.distribution.api import site as sites
from Testing.makerequest import makerequest
from zope.component.hooks import setSite
from zope.globalrequest import setRequest

import transaction

# Add-ons of Plone's own distribution whose services Canopy has, too.
ADD_ONS = [
    "plone.app.discussion:default",
    "plone.app.iterate:default",
]

app = makerequest(app)  # noqa: F821
setRequest(app.REQUEST)
newSecurityManager(None, SpecialUsers.system)

site = sites.create(
    app,
    "volto",
    {
        "site_id": "Plone",
        "title": "Welcome",
        "description": "",
        "default_language": "en",
        "portal_timezone": "UTC",
        "setup_content": True,
    },
)
setSite(site)
for profile in ADD_ONS:
    site.portal_setup.runAllImportStepsFromProfile(f"profile-{profile}")
# Only now: the folder of users was replaced when the site was made.
app.acl_users._doAddUser("admin", "admin", ["Manager"], [])
transaction.commit()
print("The site is made.")
