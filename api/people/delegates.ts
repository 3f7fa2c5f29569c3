/** Delegates: programs and agents that act for a person in one organization, and never decide. */
import * as v from 'valibot'
import {
  createDelegate,
  endDelegate,
  endDelegateOfOrganization,
  findOwnDelegate,
  listDelegates,
  listDelegatesOfOrganization,
} from '../../services/people/delegates.ts'
import { findOrganization } from '../../services/organizations/organizations.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { describeForRotation, rotateDelegate } from '../../services/people/rotation.ts'
import type { DelegateId } from '../../domain/ids.ts'
import {
  Delegate,
  DelegateRotation,
  DelegateWithSecret,
  NewDelegate,
  summarizeGrant,
  summarizeRotation,
} from '../../domain/people/delegate.ts'
import { operations } from '../http/operation.ts'
import type { Binding, Context } from '../http/route.ts'

const { command, query } = operations('Delegates')

export const delegates = [
  command('post', '/me/delegates', 'createDelegate')
    .says('Let a program or an agent act for you', 'Only this answer has the secret. A repeat makes another delegate.')
    .keepsToCompany()
    .of('organization', { body: 'organization_id' })
    .takes(NewDelegate)
    .refuses('delegate_limit_reached')
    .answers(DelegateWithSecret, 201)
    .proved(
      'once',
      async ({ org, read, person, body: { name, access, expires_in_days: days } }) => {
        const { name: organization } = await findOrganization(read, person.userId)
        const target = `organization:${org.organizationId}`
        return { target, summary: summarizeGrant({ name, access, days, organization }) }
      },
      { weakens: true },
    )
    .does(createDelegate),
  command('post', '/me/delegates/{delegate_id}/rotate', 'rotateDelegate')
    .says(
      'Rotate the secret of a delegate, and set its end',
      'Only this answer has the secret. The one before works until the new one is used, for 24 hours at most; sessions ' +
        'go on. A client that was connected on a page is connected again instead.',
    )
    .takes(DelegateRotation)
    .refuses('invalid_state', 'ip_not_allowed')
    .answers(DelegateWithSecret)
    .proved('once', bindRotation, { weakens: true })
    .does(rotateDelegate),
  query('/me/delegates', 'listDelegates')
    .says('List your delegates, newest first, also those that ended')
    .filters(v.object(PageQuery))
    .answers(pageOf(Delegate))
    .does(({ person, query }) => listDelegates(person, query)),
  query('/me/delegate', 'getOwnDelegate')
    .says('Read the delegate that asks', 'Its access, its organization and its end. A person is none.')
    .delegates('read')
    .refuses('not_found')
    .answers(Delegate)
    .does(({ person }) => findOwnDelegate(person)),
  command('delete', '/me/delegates/{delegate_id}', 'endDelegate')
    .says('End a delegate of yours, with its sessions')
    .keepsToCompany()
    .deletes()
    .does((context) => endDelegate(context, context.params.delegate_id)),
  query('/organizations/{organization_id}/delegates', 'listOrganizationDelegates')
    .says('List the delegates of all members, newest first')
    .of('organization')
    .onlyOwner()
    .filters(v.object(PageQuery))
    .answers(pageOf(Delegate))
    .does(({ read, query }) => listDelegatesOfOrganization(read, query)),
  command('delete', '/organizations/{organization_id}/delegates/{delegate_id}', 'endOrganizationDelegate')
    .says('End a delegate of any member, with its sessions')
    .of('organization')
    .stops()
    .onlyOwner()
    .deletes()
    .does(({ tx, params }) => endDelegateOfOrganization(tx, params.delegate_id)),
]

type Rotation = Context<
  'person' | 'origin',
  { readonly params: { readonly delegate_id: DelegateId }; readonly body: DelegateRotation }
>

async function bindRotation({ person, origin, params, body }: Rotation): Promise<Binding<DelegateWithSecret>> {
  const { name, organization } = await describeForRotation(person, origin, params.delegate_id)
  const summary = summarizeRotation({ name, days: body.expires_in_days, organization })
  return { target: `delegate:${params.delegate_id}`, summary }
}
