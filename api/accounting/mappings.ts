/** Which accounts of its books an organization chooses for what. */
import { listAccounts, listMappings, replaceMappings } from '../../db/accounting/mappings.ts'
import { Account } from '../../domain/accounting/integration.ts'
import {
  MAPPING_OPTIONS,
  Mapping,
  MappingOptions,
  NewMappings,
  checkMappings,
} from '../../domain/accounting/mapping.ts'
import { onePage, pageOf } from '../../domain/pagination.ts'
import { type Reader, within } from '../../db/sql.ts'
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import { route } from '../http/route.ts'
import { ACCOUNTING_PATH, ofAccounting } from './integrations.ts'

const all = async (reader: Reader) => onePage(await listMappings(reader))

export const accountingMappings = [
  route({
    ...ofAccounting,
    method: 'get',
    path: `${ACCOUNTING_PATH}/mapping-options`,
    operationId: 'getAccountingMappingOptions',
    summary: 'Read what can be mapped to accounts: the same for every organization',
    note: 'A `card_category` takes one of the categories as `source_value`; each other type is mapped once, without one.',
    can: 'organization.read',
    cacheable: 'private for minutes',
    returns: MappingOptions,
    handle: async () => MAPPING_OPTIONS,
  }),
  route({
    ...ofAccounting,
    method: 'get',
    path: `${ACCOUNTING_PATH}/accounts`,
    operationId: 'listAccountingAccounts',
    summary: 'List the accounts of the connected books, as the latest sync found them',
    can: 'xero.manage',
    returns: pageOf(Account),
    handle: async ({ read }) => onePage(await listAccounts(read)),
  }),
  route({
    ...ofAccounting,
    method: 'get',
    path: `${ACCOUNTING_PATH}/mappings`,
    operationId: 'listAccountingMappings',
    summary: 'List which accounts are chosen for what',
    can: 'xero.manage',
    returns: pageOf(Mapping),
    handle: ({ read }) => all(read),
  }),
  route({
    ...ofAccounting,
    method: 'put',
    path: `${ACCOUNTING_PATH}/mappings`,
    operationId: 'replaceAccountingMappings',
    summary: 'Choose accounts: all of them at once, what is not named has none any more',
    note: 'What could not be posted is tried again by the next sync. What is in the books stays as it is.',
    can: 'xero.manage',
    body: NewMappings,
    returns: pageOf(Mapping),
    handle: ({ write, body: { mappings } }) => {
      checkMappings(mappings)
      return repeating(() =>
        write(async (tx) => {
          await replaceMappings(tx, mappings)
          return all(within(tx))
        }, BRIEF_LOCKS),
      )
    },
  }),
]
