/** Groups of SCIM: read, made, changed and deleted by a provider. */
import { type ScimGroupId, isUuid, newId } from '../../domain/ids.ts'
import { refuse } from '../../domain/errors.ts'
import { changeGroup as applyChanges, readGroup } from '../../domain/scim/group.ts'
import { readChanges } from '../../domain/scim/operations.ts'
import { isSelected, select, writeGroup, writeList } from '../../domain/scim/resources.ts'
import { endWithRole } from '../../services/decisions/ends.ts'
import { changeGroup, createGroup, deleteGroup, findGroup, listGroups } from '../../services/scim/groups.ts'
import { listQueryOf, selectionOf } from './lists.ts'
import { type ScimEndpoint, type ScimRequest, SCIM_URL } from './request.ts'

/** Reads the id of the path; what is no id names nothing. */
const idOf = ({ id }: ScimRequest): ScimGroupId =>
  isUuid(id) ? (id.toLowerCase() as ScimGroupId) : refuse('not_found') // checked

async function answerGroup(request: ScimRequest, id: ScimGroupId) {
  const selection = selectionOf(request)
  const group = await findGroup(request.read, id, isSelected(selection, 'members'))
  return select(writeGroup(group, SCIM_URL), selection)
}

export const groupEndpoints: readonly ScimEndpoint[] = [
  {
    method: 'get',
    path: '/Groups',
    name: 'list_groups',
    handle: async (request) => {
      const { filter, selection, startIndex, ...slice } = listQueryOf(request)
      const isWanted = isSelected(selection, 'members')
      const { total, found } = await listGroups(request.read, filter, { ...slice, isWanted })
      const resources = found.map((group) => select(writeGroup(group, SCIM_URL), selection))
      return { status: 200, resource: writeList(resources, total, startIndex) }
    },
  },
  {
    method: 'get',
    path: '/Groups/{id}',
    name: 'get_group',
    handle: async (request) => ({ status: 200, resource: await answerGroup(request, idOf(request)) }),
  },
  {
    method: 'post',
    path: '/Groups',
    name: 'create_group',
    handle: async (request) => {
      const [wanted, id] = [readGroup(request.body), newId<'scim_group'>()]
      await request.write((tx) => createGroup({ tx, id, tokenId: request.tokenId, endWithRole }, wanted))
      return { status: 201, resource: await answerGroup(request, id) }
    },
  },
  {
    method: 'put',
    path: '/Groups/{id}',
    name: 'replace_group',
    handle: async (request) => {
      const [wanted, id] = [readGroup(request.body), idOf(request)]
      await request.write((tx) => changeGroup({ tx, id, tokenId: request.tokenId, endWithRole }, () => wanted))
      return { status: 200, resource: await answerGroup(request, id) }
    },
  },
  {
    // without the members in the answer, which may be thousands (RFC 7644, section 3.5.2 allows it)
    method: 'patch',
    path: '/Groups/{id}',
    name: 'change_group',
    handle: async (request) => {
      const [changes, id] = [readChanges(request.body), idOf(request)]
      await request.write((tx) =>
        changeGroup({ tx, id, tokenId: request.tokenId, endWithRole }, (before) => applyChanges(before, id, changes)),
      )
      if (selectionOf(request) === null) return { status: 204 }
      return { status: 200, resource: await answerGroup(request, id) }
    },
  },
  {
    method: 'delete',
    path: '/Groups/{id}',
    name: 'delete_group',
    handle: async (request) => {
      const id = idOf(request)
      await request.write((tx) => deleteGroup({ tx, id, tokenId: request.tokenId, endWithRole }))
      return { status: 204 }
    },
  },
]
