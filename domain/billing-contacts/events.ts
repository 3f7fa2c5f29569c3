/** Events of billing contacts: the company's name, and other changes without their content. */
import * as v from 'valibot'
import { eventTypes, says } from '../event-type.ts'

export const billingContactEvents = eventTypes(
  { noun: 'billing_contact', table: 'billing_contacts' },
  {
    created: says('A person adds a billing contact.', v.object({ company_name: v.string() })),
    updated: says(
      'A person changes a billing contact.',
      v.object({ changed: v.array(v.string()), company_name: v.optional(v.string()) }),
    ),
    deleted: says('A person deletes a billing contact.'),
  },
)
