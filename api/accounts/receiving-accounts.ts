/** Bank accounts and deposit addresses of an organization. */
import * as v from 'valibot'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { BankAccount, DepositAddress } from '../../domain/accounts/receiving-account.ts'
import {
  lacksAccounts,
  listBankAccounts,
  listDepositAddresses,
  requestAccounts,
} from '../../services/accounts/receiving-accounts.ts'
import type { PartnerRail } from '../../domain/rails.ts'
import { operations } from '../http/operation.ts'
import { type Context } from '../http/route.ts'

const { query } = operations('Deposits')

export const receivingAccounts = [
  query('/organizations/{organization_id}/bank-accounts', 'listBankAccounts')
    .says('List the bank accounts of an organization', 'Incoming money arrives at them. The first request opens them.')
    .of('organization')
    .delegates('read')
    .can('bank_accounts.list')
    .filters(v.object(PageQuery))
    .answers(pageOf(BankAccount))
    .does(async (context) => {
      await requestMissing(context, 'fiat')
      return listBankAccounts(context.read, context.query)
    }),
  query('/organizations/{organization_id}/deposit-addresses', 'listDepositAddresses')
    .says(
      'List the deposit addresses of an organization',
      'Incoming coins arrive at them. The first request opens them.',
    )
    .of('organization')
    .delegates('read')
    .can('deposit_addresses.list')
    .filters(v.object(PageQuery))
    .answers(pageOf(DepositAddress))
    .does(async (context) => {
      await requestMissing(context, 'crypto')
      return listDepositAddresses(context.read, context.query)
    }),
]

/** Requests the accounts that the organization lacks; a process for each opens them. */
async function requestMissing({ read, write }: Context<'read' | 'write'>, rail: PartnerRail): Promise<void> {
  if (await lacksAccounts(read, rail)) await write((tx) => requestAccounts(tx, rail))
}
