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
import { operations } from '../http/operation.ts'

const { command, query } = operations('Accounting')

const all = async (reader: Reader) => onePage(await listMappings(reader))

export const accountingMappings = [
  query('/organizations/{organization_id}/integrations/accounting/mapping-options', 'getAccountingMappingOptions')
    .says(
      'Read what can be mapped to accounts: the same for every organization',
      'A `card_category` takes one of the categories as `source_value`; each other type is mapped once, without one.',
    )
    .of('organization')
    .can('organization.read')
    .cached('private for minutes')
    .answers(MappingOptions)
    .does(async () => MAPPING_OPTIONS),
  query('/organizations/{organization_id}/integrations/accounting/accounts', 'listAccountingAccounts')
    .says('List the accounts of the connected books, as the latest sync found them')
    .of('organization')
    .can('xero.manage')
    .answers(pageOf(Account))
    .does(async ({ read }) => onePage(await listAccounts(read))),
  query('/organizations/{organization_id}/integrations/accounting/mappings', 'listAccountingMappings')
    .says('List which accounts are chosen for what')
    .of('organization')
    .can('xero.manage')
    .answers(pageOf(Mapping))
    .does(({ read }) => all(read)),
  command('put', '/organizations/{organization_id}/integrations/accounting/mappings', 'replaceAccountingMappings')
    .says(
      'Choose accounts: all of them at once, what is not named has none any more',
      'What could not be posted is tried again by the next sync. What is in the books stays as it is.',
    )
    .of('organization')
    .can('xero.manage')
    .takes(NewMappings)
    .answers(pageOf(Mapping))
    .handles(({ write, body: { mappings } }) => {
      checkMappings(mappings)
      return repeating(() =>
        write(async (tx) => {
          await replaceMappings(tx, mappings)
          return all(within(tx))
        }, BRIEF_LOCKS),
      )
    }),
]
