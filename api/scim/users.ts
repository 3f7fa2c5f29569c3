/** Users of SCIM: read, provisioned, changed and removed by a provider. */
import { type ScimUserId, isUuid, newId } from '../../domain/ids.ts'
import { refuse } from '../../domain/errors.ts'
import { readChanges } from '../../domain/scim/operations.ts'
import { select, writeList, writeUser } from '../../domain/scim/resources.ts'
import { readUser } from '../../domain/scim/user.ts'
import { changeUser as applyChanges } from '../../domain/scim/user-changes.ts'
import { endWithRole } from '../../services/decisions/ends.ts'
import { changeUser, createUser, deleteUser, replaceUser } from '../../services/scim/commands.ts'
import { findUser, listUsers } from '../../services/scim/users.ts'
import { listQueryOf, selectionOf } from './lists.ts'
import { type ScimEndpoint, type ScimRequest, SCIM_URL } from './request.ts'

/** Reads the id of the path; what is no id names nothing. */
const idOf = ({ id }: ScimRequest): ScimUserId => (isUuid(id) ? (id.toLowerCase() as ScimUserId) : refuse('not_found')) // checked

async function answerUser(request: ScimRequest, id: ScimUserId) {
  const user = await findUser(request.read, id)
  return select(writeUser(user, SCIM_URL), selectionOf(request))
}

export const userEndpoints: readonly ScimEndpoint[] = [
  {
    method: 'get',
    path: '/Users',
    name: 'list_users',
    handle: async (request) => {
      const { filter, selection, startIndex, ...slice } = listQueryOf(request)
      const { total, found } = await listUsers(request.read, filter, slice)
      const resources = found.map((user) => select(writeUser(user, SCIM_URL), selection))
      return { status: 200, resource: writeList(resources, total, startIndex) }
    },
  },
  {
    method: 'get',
    path: '/Users/{id}',
    name: 'get_user',
    handle: async (request) => ({ status: 200, resource: await answerUser(request, idOf(request)) }),
  },
  {
    method: 'post',
    path: '/Users',
    name: 'create_user',
    handle: async (request) => {
      const [wanted, id] = [readUser(request.body), newId<'scim_user'>()]
      await request.write((tx) => createUser({ tx, id, tokenId: request.tokenId, endWithRole }, wanted))
      return { status: 201, resource: await answerUser(request, id) }
    },
  },
  {
    method: 'put',
    path: '/Users/{id}',
    name: 'replace_user',
    handle: async (request) => {
      const [wanted, id] = [readUser(request.body), idOf(request)]
      await request.write((tx) => replaceUser({ tx, id, tokenId: request.tokenId, endWithRole }, wanted))
      return { status: 200, resource: await answerUser(request, id) }
    },
  },
  {
    method: 'patch',
    path: '/Users/{id}',
    name: 'change_user',
    handle: async (request) => {
      const [changes, id] = [readChanges(request.body), idOf(request)]
      await request.write((tx) =>
        changeUser({ tx, id, tokenId: request.tokenId, endWithRole }, (before) => applyChanges(before, id, changes)),
      )
      return { status: 200, resource: await answerUser(request, id) }
    },
  },
  {
    method: 'delete',
    path: '/Users/{id}',
    name: 'delete_user',
    handle: async (request) => {
      const id = idOf(request)
      await request.write((tx) => deleteUser({ tx, id, tokenId: request.tokenId, endWithRole }))
      return { status: 204 }
    },
  },
]
