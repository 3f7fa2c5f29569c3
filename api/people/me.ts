/** The signed-in person. */
import { Me, MeChanges, PrimaryOrganization, PrimaryOrganizationAnswer } from '../../domain/people/person.ts'
import { quoted } from '../../domain/text.ts'
import { changeMe, choosePrimaryOrganization, findMe } from '../../db/people/people.ts'
import { operations } from '../http/operation.ts'

const { command, query } = operations('Me')

export const me = [
  query('/me', 'getMe')
    .says('Read oneself')
    .answers(Me)
    .does(({ person }) => findMe(person.userId)),
  command('patch', '/me', 'updateMe')
    .says('Change what one says about oneself: what is absent stays, null clears')
    .takes(MeChanges)
    .answers(Me)
    .handles(async ({ person, body }) => {
      await changeMe(person.userId, body)
      return findMe(person.userId)
    }),
  command('put', '/me/primary-organization', 'setPrimaryOrganization')
    .says('Choose the organization that one works in first')
    .of('organization', { body: 'organization_id' })
    .takes(PrimaryOrganization)
    .answers(PrimaryOrganizationAnswer)
    .handles(async ({ person, body }) => {
      const organization = await choosePrimaryOrganization(person.userId, body.organization_id)
      return { success: true, message: `${quoted(organization.name)} is now your primary organization.`, organization }
    }),
]
