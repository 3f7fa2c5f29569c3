/** db/functions/_flows.sql: the flows for SQL functions. Applied before all others. */
import { type Flow, finalStates } from '../../domain/flow.ts'
import { PROCESSES } from '../../domain/registries/flows.ts'
import { invoiceFlow } from '../../domain/invoices/flow.ts'
import { paymentFlow } from '../../domain/payments/flow.ts'
import { isGone, organizationFlow } from '../../domain/organizations/flow.ts'

export const flowFunctions =
  (): string => `-- \`npm run docs:states\` writes this file from the flows of domain/; \`npm run check:rules\` fails if it is not up to
-- date.

-- Whether a workflow drives the rows of a table.
create or replace function is_driven(named text) returns boolean
language sql immutable parallel safe
as $$
  select named in (${quoteList(Object.values<Flow>(PROCESSES).map(({ table }) => table))})
$$;
grant execute on function is_driven(text) to business_finance_definer;

-- Whether an invoice in this state is to be paid. A query sees the states themselves, and uses the partial indexes.
create or replace function is_open_invoice(state text) returns boolean
language sql immutable parallel safe
as $$
  select state in (${quoteList(invoiceFlow.events.pay.from)})
$$;
grant execute on function is_open_invoice(text) to business_finance_app, business_finance_definer;

-- Whether a payment has ended without having paid: no way leads out of these states.
create or replace function has_ended_unpaid(status text) returns boolean
language sql immutable parallel safe
as $$
  select status in (${quoteList(finalStates(paymentFlow))})
$$;
grant execute on function has_ended_unpaid(text) to business_finance_app, business_finance_definer;

-- Whether an organization is neither banned nor deleted.
create or replace function is_there(organization_status text) returns boolean
language sql immutable parallel safe
as $$
  select organization_status in (${quoteList(organizationFlow.states.filter((state) => !isGone(state)))})
$$;
grant execute on function is_there(text) to business_finance_app, business_finance_definer;
`

const quoteList = (names: readonly string[]): string =>
  names.map((name, index) => `${index === 0 ? '' : index % 4 === 0 ? ',\n    ' : ', '}'${name}'`).join('')
