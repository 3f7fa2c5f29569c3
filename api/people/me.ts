/** The signed-in person. */
import { Me, MeChanges, PrimaryOrganization, PrimaryOrganizationAnswer } from '../../domain/people/person.ts'
import { quoted } from '../../domain/text.ts'
import { changeMe, choosePrimaryOrganization, findMe } from '../../db/people/people.ts'
import { route } from '../http/route.ts'

export const me = [
  route({
    method: 'get',
    path: '/me',
    operationId: 'getMe',
    summary: 'Read oneself',
    tag: 'Me',
    returns: Me,
    handle: ({ person }) => findMe(person.userId),
  }),
  route({
    method: 'patch',
    path: '/me',
    operationId: 'updateMe',
    summary: 'Change what one says about oneself: what is absent stays, null clears',
    tag: 'Me',
    body: MeChanges,
    returns: Me,
    handle: async ({ person, body }) => {
      await changeMe(person.userId, body)
      return findMe(person.userId)
    },
  }),
  route({
    method: 'put',
    path: '/me/primary-organization',
    operationId: 'setPrimaryOrganization',
    summary: 'Choose the organization that one works in first',
    tag: 'Me',
    owner: { kind: 'organization', body: 'organization_id' },
    body: PrimaryOrganization,
    returns: PrimaryOrganizationAnswer,
    handle: async ({ person, body }) => {
      const organization = await choosePrimaryOrganization(person.userId, body.organization_id)
      return { success: true, message: `${quoted(organization.name)} is now your primary organization.`, organization }
    },
  }),
]
