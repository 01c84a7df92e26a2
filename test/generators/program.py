"""Calls a site by the client that openapi-python-client has generated: a login, nested content, a new page, a search."""

import sys

folder, url, login, password = sys.argv[1:]
sys.path.insert(0, folder)

from canopy_client import AuthenticatedClient, Client  # noqa: E402
from canopy_client.api.content import get_content_at_path, post_content_at_path  # noqa: E402
from canopy_client.api.login import post_login  # noqa: E402
from canopy_client.api.search import get_search  # noqa: E402
from canopy_client.models import Error, PageContent, PageCreate, PostLoginBody  # noqa: E402

visitor = Client(base_url=url, headers={"Accept": "application/json"})
session = post_login.sync(client=visitor, body=PostLoginBody(login=login, password=password))
assert session and session.token, session

client = AuthenticatedClient(base_url=url, token=session.token, headers={"Accept": "application/json"})
page = get_content_at_path.sync("news/today", client=client, expand=["breadcrumbs"])
assert isinstance(page, PageContent), page
assert page.title == "Today", page.title
assert page.at_id.endswith("/news/today"), page.at_id
assert [one.title for one in page.at_components.breadcrumbs.items] == ["News", "Today"], page.at_components

made = post_content_at_path.sync("news", client=client, body=PageCreate(at_type="Page", title="By Python"))
assert isinstance(made, PageContent), made
assert made.at_id.endswith("/news/by-python"), made.at_id

found = get_search.sync(client=client, searchable_text="Python", portal_type=["Page"])
assert found and [item.title for item in found.items] == ["By Python"], found

gone = get_content_at_path.sync("news/nowhere", client=client)
assert isinstance(gone, Error) and gone.type_ == "NotFound", gone
print("PASSED")
