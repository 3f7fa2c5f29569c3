/** Coding: chart of accounts, dimensions, and the lines of bills that are coded by them. */
import * as v from 'valibot'
import { findBillCoding, saveBillCoding } from '../../services/coding/bill-coding.ts'
import { findChart, replaceChart, takeBooks } from '../../services/coding/chart.ts'
import { listDimensions, replaceDimensions } from '../../services/coding/dimensions.ts'
import { AccountsChart, NewAccountsChart } from '../../domain/coding/chart.ts'
import { BillCoding, ContactCoding, NewBillCoding, NewContactCoding } from '../../domain/coding/coding.ts'
import { findContactCoding, setContactCoding } from '../../services/coding/contact-coding.ts'
import { Dimension, NewDimensions } from '../../domain/coding/dimension.ts'
import { onePage, pageOf } from '../../domain/pagination.ts'
import { readCodesFile } from '../../documents/coding/codes.ts'
import { CODES_BYTES_MAX, CODES_COLUMNS, chartOf, dimensionsOf } from '../../domain/coding/csv.ts'
import { pictures } from '../http/limits.ts'
import { operations, upload } from '../http/operation.ts'

const { command, query } = operations('Coding')

const CHART = '/organizations/{organization_id}/accounts-chart'
const CONTACT = '/payment-contacts/{payment_contact_id}/coding'
const DIMENSIONS = '/organizations/{organization_id}/dimensions'

export const coding = [
  query(CHART, 'getAccountsChart')
    .says('Read the chart of accounts, archived ones too')
    .of('organization')
    .delegates('read')
    .can('bills.read')
    .answers(AccountsChart)
    .does(({ read }) => findChart(read)),
  command('put', CHART, 'replaceAccountsChart')
    .says(
      'Replace the chart of accounts',
      'Codes that are not named are archived: they stay in what they code, and are not chosen any more. Named again, ' +
        'they come back.',
    )
    .of('organization')
    .can('xero.manage')
    .takes(NewAccountsChart)
    .refuses('unprocessable_entity')
    .answers(AccountsChart)
    .does(async ({ tx, read, body }) => {
      await replaceChart(tx, body)
      return findChart(read)
    }),
  command('post', `${CHART}/import`, 'importAccountsChart')
    .says(
      'Take accounts, tax rates and tracking of the connected books',
      'As the latest sync found them. A tracking category joins the dimension of its code or name, or is a new one. ' +
        'Other codes stay.',
    )
    .of('organization')
    .can('xero.manage')
    .takes(v.object({}))
    .refuses('accounting_not_connected', 'unprocessable_entity')
    .answers(AccountsChart)
    .does(async ({ tx, read }) => {
      await takeBooks(tx)
      return findChart(read)
    }),
  command('post', `${CHART}/csv`, 'uploadAccountsChart')
    .says(
      'Replace the chart of accounts by a CSV file',
      `Columns ${CODES_COLUMNS.chart.join(', ')}; \`kind\` is \`account\` (also if it is empty) or \`tax_code\`. Codes that ` +
        'it does not name are archived. `invalid_file` names the lines.',
    )
    .of('organization')
    .can('xero.manage')
    .takes(upload('file', CODES_BYTES_MAX))
    .limited(pictures)
    .refuses('invalid_file', 'unprocessable_entity')
    .answers(AccountsChart)
    .prepares(async ({ org, person, file }) => ({
      chart: chartOf(await readCodesFile(file, 'chart', { organization: org.organizationId, person: person.userId })),
    }))
    .does(async ({ tx, read, chart }) => {
      await replaceChart(tx, chart)
      return findChart(read)
    }),
  query(DIMENSIONS, 'listDimensions')
    .says('List dimensions with their values, archived ones too')
    .of('organization')
    .delegates('read')
    .can('bills.read')
    .answers(pageOf(Dimension))
    .does(async ({ read }) => onePage(await listDimensions(read))),
  command('put', DIMENSIONS, 'replaceDimensions')
    .says(
      'Replace the dimensions and their values',
      'What is not named is archived, and never deleted. Named again, it comes back.',
    )
    .of('organization')
    .can('xero.manage')
    .takes(NewDimensions)
    .refuses('unprocessable_entity')
    .answers(pageOf(Dimension))
    .does(async ({ tx, read, body }) => {
      await replaceDimensions(tx, body)
      return onePage(await listDimensions(read))
    }),
  command('post', `${DIMENSIONS}/csv`, 'uploadDimensions')
    .says(
      'Replace the dimensions by a CSV file',
      `Columns ${CODES_COLUMNS.dimensions.join(', ')}, a row for each value. What it does not name is archived. ` +
        '`invalid_file` names the lines.',
    )
    .of('organization')
    .can('xero.manage')
    .takes(upload('file', CODES_BYTES_MAX))
    .limited(pictures)
    .refuses('invalid_file', 'unprocessable_entity')
    .answers(pageOf(Dimension))
    .prepares(async ({ org, person, file }) => ({
      dimensions: dimensionsOf(
        await readCodesFile(file, 'dimensions', { organization: org.organizationId, person: person.userId }),
      ),
    }))
    .does(async ({ tx, read, dimensions }) => {
      await replaceDimensions(tx, dimensions)
      return onePage(await listDimensions(read))
    }),
  query(CONTACT, 'getPaymentContactCoding')
    .says('Read the coding proposed for bills of a contact')
    .of('payment_contact')
    .delegates('read')
    .can('bills.read')
    .answers(ContactCoding)
    .does(({ read, params }) => findContactCoding(read, params.payment_contact_id)),
  command('put', CONTACT, 'codePaymentContact')
    .says(
      'Set the coding proposed for bills of a contact',
      "For each line, before what was coded last. Bills are the contact's if they name it, its account, or the supplier of " +
        'an earlier one. An empty coding takes it away.',
    )
    .of('payment_contact')
    .can('bills.update')
    .takes(NewContactCoding)
    .refuses('invalid_coding')
    .answers(ContactCoding)
    .does(async ({ tx, read, person, params, body }) => {
      await setContactCoding(tx, person, params.payment_contact_id, body)
      return findContactCoding(read, params.payment_contact_id)
    }),
  query('/bills/{bill_id}/coding', 'getBillCoding')
    .says(
      'Read the coding of the lines of a bill',
      'A line that nobody has coded is proposed as its contact says, else as lines of the supplier with the same words ' +
        'were coded last, or as all of its lines were. A proposal counts once a person saves it.',
    )
    .of('bill')
    .delegates('read')
    .can('bills.read')
    .answers(BillCoding)
    .does(({ read, params }) => findBillCoding(read, params.bill_id)),
  command('put', '/bills/{bill_id}/coding', 'codeBill')
    .says(
      'Code the lines of a bill',
      'Lines that are not named are not coded any more. Parts are given by `amount` or by `share`, and add up to the ' +
        'line; one part without either is the whole.',
    )
    .of('bill')
    .delegates('prepare')
    .can('bills.update')
    .takes(NewBillCoding)
    .refuses('invalid_state', 'invalid_coding')
    .answers(BillCoding)
    .does(async ({ tx, read, person, params, body }) => {
      await saveBillCoding(tx, person, params.bill_id, body)
      return findBillCoding(read, params.bill_id)
    }),
]
