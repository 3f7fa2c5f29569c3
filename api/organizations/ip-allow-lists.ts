/** IP allow-list of an organization: networks from which its credentials work. */
import * as v from 'valibot'
import {
  cancelLift,
  findAllowList,
  liftAllowList,
  removeAllowList,
  replaceAllowList,
} from '../../services/organizations/ip-allow-lists.ts'
import { IpAllowList, IpAllowListLifting, NewIpAllowList } from '../../domain/organizations/allow-list.ts'
import { model } from '../../domain/text.ts'
import { operations } from '../http/operation.ts'

const { command, query } = operations('Organizations')

const LIST = '/organizations/{organization_id}/ip-allow-list'

export const ipAllowLists = [
  query(LIST, 'getIpAllowList')
    .says('Read the IP allow-list of an organization', 'With the address that you come from.')
    .of('organization')
    .onlyOwner()
    .answers(IpAllowList)
    .does(({ read, origin }) => findAllowList(read, origin)),
  command('put', LIST, 'replaceIpAllowList')
    .says(
      'Set the IP allow-list of an organization',
      'From the next request on, credentials of these kinds work from these networks alone; others are refused ' +
        '`ip_not_allowed`. A list of sessions has to hold the address that you come from.',
    )
    .of('organization')
    .onlyOwner()
    .takes(NewIpAllowList)
    .refuses('ip_allow_list_excludes_you')
    .answers(IpAllowList)
    .proved('window')
    .does(replaceAllowList),
  command('delete', LIST, 'removeIpAllowList')
    .says('Remove the IP allow-list: credentials work from everywhere')
    .of('organization')
    .onlyOwner()
    .answers(model('IpAllowListRemoved', { status: v.literal('removed') }))
    .proved('window')
    .does(async ({ tx }) => {
      await removeAllowList(tx)
      return { status: 'removed' as const }
    }),
  command('post', `${LIST}/lift`, 'liftIpAllowList')
    .says(
      'Lift the IP allow-list from outside of it',
      'Two owners do it, each with a proof of identity: the second within 48 hours after the first. An only owner ' +
        'repeats it after 24 hours. All owners are mailed.',
    )
    .of('organization')
    .onlyOwner('from anywhere')
    .takes(v.object({}))
    .refuses('invalid_state')
    .answers(IpAllowListLifting)
    .proved('once')
    .does(liftAllowList),
  command('delete', `${LIST}/lift`, 'cancelIpAllowListLift')
    .says('End the request to lift the IP allow-list')
    .of('organization')
    .onlyOwner()
    .stops()
    .answers(model('IpAllowListLiftCancelled', { status: v.literal('cancelled') }))
    .does(async ({ tx }) => {
      await cancelLift(tx)
      return { status: 'cancelled' as const }
    }),
]
