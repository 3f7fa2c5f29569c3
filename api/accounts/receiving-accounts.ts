/** Where money for an organization arrives: bank accounts and deposit addresses. */
import * as v from 'valibot'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { BankAccount, DepositAddress } from '../../domain/accounts/receiving-account.ts'
import {
  lacksAccounts,
  listBankAccounts,
  listDepositAddresses,
  requestAccounts,
} from '../../db/accounts/receiving-accounts.ts'
import type { PartnerRail } from '../../domain/rails.ts'
import { inPath } from '../http/in-path.ts'
import { type Context, route } from '../http/route.ts'

const shared = {
  method: 'get',
  tag: 'Deposits',
  ...inPath('organization'),
  query: v.object(PageQuery),
} as const

export const receivingAccounts = [
  route({
    ...shared,
    path: '/organizations/{organization_id}/bank-accounts',
    operationId: 'listBankAccounts',
    summary: 'List the bank accounts that money for the organization arrives at; the first reading opens them',
    can: 'bank_accounts.list',
    returns: pageOf(BankAccount),
    handle: async (context) => {
      await requestMissing(context, 'fiat')
      return listBankAccounts(context.read, context.query)
    },
  }),
  route({
    ...shared,
    path: '/organizations/{organization_id}/deposit-addresses',
    operationId: 'listDepositAddresses',
    summary: 'List the addresses that coins for the organization arrive at; the first reading opens them',
    can: 'deposit_addresses.list',
    returns: pageOf(DepositAddress),
    handle: async (context) => {
      await requestMissing(context, 'crypto')
      return listDepositAddresses(context.read, context.query)
    },
  }),
]

/** Has what the organization lacks opened, by one process for each. */
async function requestMissing({ read, write }: Context<'read' | 'write'>, rail: PartnerRail): Promise<void> {
  if (await lacksAccounts(read, rail)) await write((tx) => requestAccounts(tx, rail))
}
