/** Substitutions: members who review approvals on behalf of others while these are away. */
import { endSubstitution, nameSubstitute, requireEligible } from '../../services/substitutions/commands.ts'
import { findSubstitution, listSubstitutions } from '../../services/substitutions/substitutions.ts'
import { minuteOf } from '../../domain/instants.ts'
import { pageOf } from '../../domain/pagination.ts'
import { NewSubstitution, Substitution, SubstitutionFilters } from '../../domain/substitutions/substitution.ts'
import { quoteName } from '../../domain/text.ts'
import { operations } from '../http/operation.ts'

const { command, query } = operations('Substitutions')

export const substitutions = [
  command('post', '/organizations/{organization_id}/substitutions', 'createSubstitution')
    .says(
      'Name a substitute',
      'For yourself, or as an owner for another member. The substitute reviews approvals in the role that the member has when they decide: they read what waits for ' +
        'the member, approve and reject. A person counts once for an approval, in whatever capacity.',
    )
    .of('organization')
    .takes(NewSubstitution)
    .refuses('substitute_not_eligible')
    .creates(Substitution, ({ read, claim }) => findSubstitution(read, claim.id))
    .proved('once', async ({ read, org, person, body }) => {
      const { principal, substitute } = await requireEligible(read, person.userId, body)
      const whom = body.user_id && body.user_id !== person.userId ? quoteName(principal) : 'you'
      return {
        target: `organization:${org.organizationId}`,
        summary: `Let ${quoteName(substitute)} decide approvals for ${whom} until ${minuteOf(body.until)}`,
      }
    })
    .does(nameSubstitute),
  query('/organizations/{organization_id}/substitutions', 'listSubstitutions')
    .says('List substitutions, newest first, also those that ended')
    .of('organization')
    .delegates('read')
    .can('members.list')
    .filters(SubstitutionFilters)
    .answers(pageOf(Substitution))
    .does(({ read, query }) => listSubstitutions(read, query)),
  query('/organizations/{organization_id}/substitutions/{substitution_id}', 'getSubstitution')
    .says('Read a substitution')
    .of('organization')
    .delegates('read')
    .can('members.list')
    .answers(Substitution)
    .does(({ read, params }) => findSubstitution(read, params.substitution_id)),
  command('delete', '/organizations/{organization_id}/substitutions/{substitution_id}', 'endSubstitution')
    .says('End a substitution', 'By the member, the substitute or an owner. What was decided under it stands.')
    .of('organization')
    .refuses('invalid_state', 'forbidden')
    .deletes()
    .does(({ tx, person, params }) => endSubstitution(tx, person, params.substitution_id)),
]
