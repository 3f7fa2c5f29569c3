"""Checks a server of SCIM by scim2-tester, with users whose addresses are of a domain that is proved there."""
import json
import sys
import uuid

from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import check_server, filling
from scim2_tester.checkers import patch_add, patch_replace

url, token, domain = sys.argv[1:4]
random_value = filling.generate_random_value


def value_of_domain(context, path, *rest, **more):
    named = str(path)
    if named.endswith('userName') or named.endswith('emails.value'):
        return f'{uuid.uuid4()}@{domain}'
    value = random_value(context, path, *rest, **more)
    if named.endswith('emails') and isinstance(value, list):
        for one in value:
            one.value = f'{uuid.uuid4()}@{domain}'
    return value


for module in (filling, patch_add, patch_replace):
    module.generate_random_value = value_of_domain

client = SyncSCIMClient(Client(base_url=url, headers={'authorization': f'Bearer {token}'}))
results = check_server(client)
print(
    json.dumps(
        [
            {'status': one.status.name, 'title': one.title, 'type': one.resource_type, 'reason': one.reason, 'data': str(one.data)[:600]}
            for one in results
        ]
    )
)
