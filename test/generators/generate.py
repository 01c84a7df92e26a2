"""Runs openapi-python-client. To the generator `@id` and `id` are one name: here the first one is `at_id`."""

from openapi_python_client import cli, strings

sanitize = strings.sanitize
strings.sanitize = lambda value: sanitize(f"at_{value[1:]}" if value.startswith("@") else value)
cli.app()
