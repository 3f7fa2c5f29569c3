import * as v from 'valibot'
import { drawInTurn } from '../../documents/bills/request-pages.ts'
import {
  findBill,
  findBillDetail,
  findBillFile,
  findOriginal,
  findProvenance,
  listBills,
} from '../../services/bills/bills.ts'
import { cancelBill, changeBill, createBill, requestExtraction } from '../../services/bills/commands.ts'
import { sumBills } from '../../services/bills/due.ts'
import { bytesOf, openSlot, slotOf } from '../../services/files/files.ts'
import { receiveUpload } from '../../services/files/uploads.ts'
import {
  Bill,
  BillChange,
  BillDetail,
  BillFile,
  BillFilters,
  BillPage,
  BillPageQuery,
  BillSums,
  NewBill,
  NewBillFile,
  Provenance,
  pageNumber,
} from '../../domain/bills/bill.ts'
import { refuse } from '../../domain/errors.ts'
import { UploadSlot } from '../../domain/files/file.ts'
import { searchOf } from '../http/context.ts'
import { extractions, newBills, uploadSlots } from '../http/limits.ts'
import { bytes, operations } from '../http/operation.ts'

const { command, query } = operations('Bills')

const MAKING_BILLS = '/organizations/{organization_id}/bills'

export const bills = [
  command('post', '/organizations/{organization_id}/bills/upload', 'createBillUpload')
    .says('Request an upload address for the file of a bill', 'PUT the file there, then create the bill.')
    .of('organization')
    .delegates('prepare')
    .can('bills.create')
    .takes(NewBillFile)
    .limited(uploadSlots)
    .creates(UploadSlot, ({ read, claim }) => slotOf(read, claim.id))
    .does(({ tx, claim, body }) => {
      const { filename, byte_size: byteSize, content_type: contentType } = body
      const slot = { purpose: 'bill', ownerId: tx.organizationId, filename, byteSize, contentType } as const
      return openSlot(tx, { ...slot, id: claim.id })
    }),
  command('post', MAKING_BILLS, 'createBill')
    .says(
      'Create a bill from a file or from fields',
      'A file is read afterwards. The bill is `extracting` until its file is read; what you have typed is kept.',
    )
    .of('organization')
    .delegates('prepare')
    .can('bills.create')
    .takes(NewBill)
    .limited(newBills)
    .refuses(
      'file_not_uploaded',
      'upload_size_mismatch',
      'amount_precision',
      'amount_too_large',
      'invalid_bank_details',
      'external_id_taken',
    )
    .creates(Bill, ({ read, claim }) => findBill(read, claim.id))
    .prepares(async ({ org: { organizationId }, body: { file_id: fileId } }) => {
      if (fileId) await receiveUpload(organizationId, { fileId, purpose: 'bill', ownerId: organizationId })
      return {}
    })
    .does(({ tx, person, claim, body }) => createBill(tx, person, claim.id, body)),
  query('/organizations/{organization_id}/bills', 'listBills')
    .says('List bills, newest first or by due date', '`payable=true` finds what a run can pay, with its sums.')
    .of('organization')
    .delegates('read')
    .can('bills.list')
    .filters(BillFilters)
    .answers(BillPage)
    .does((context) => listBills(context.read, searchOf(context, MAKING_BILLS))),
  query('/organizations/{organization_id}/bills/sums', 'sumBills')
    .says('Sum the open bills by the time at which they are due', 'What is asked for, and not paid yet, is open too.')
    .of('organization')
    .delegates('read')
    .can('bills.list')
    .answers(BillSums)
    .does(({ read }) => sumBills(read)),
  query('/bills/{bill_id}', 'getBill')
    .says('Read a bill', 'With its history, oldest first, and with possible duplicates.')
    .of('bill')
    .delegates('read')
    .can('bills.read')
    .answers(BillDetail)
    .does(({ read, params }) => findBillDetail(read, params.bill_id)),
  command('patch', '/bills/{bill_id}', 'updateBill')
    .says(
      'Type what is known of a bill; no reading overwrites it',
      'What is absent stays, null empties. External id and metadata change in any state.',
    )
    .of('bill')
    .delegates('prepare')
    .can('bills.update')
    .takes(BillChange)
    .refuses(
      'invalid_state',
      'bill_payment_in_progress',
      'amount_precision',
      'amount_too_large',
      'invalid_bank_details',
      'external_id_taken',
    )
    .answers(Bill)
    .does(async ({ tx, read, params, body }) => {
      await changeBill(tx, params.bill_id, body)
      return findBill(read, params.bill_id)
    }),
  command('post', '/bills/{bill_id}/extract', 'extractBill')
    .says('Have the file of a bill read again; what people typed stays')
    .of('bill')
    .delegates('prepare')
    .can('bills.update')
    .takes(v.object({}))
    .limited(extractions)
    .refuses('invalid_state', 'bill_payment_in_progress', 'file_not_uploaded')
    .answers(Bill)
    .does(async ({ tx, read, params }) => {
      await requestExtraction(tx, params.bill_id)
      return findBill(read, params.bill_id)
    }),
  command('post', '/bills/{bill_id}/cancel', 'cancelBill')
    .says('Put a bill away that nobody is to pay')
    .of('bill')
    .stops()
    .can('bills.cancel')
    .takes(v.object({}))
    .refuses('invalid_state', 'bill_payment_in_progress')
    .answers(Bill)
    .does(async ({ tx, read, params }) => {
      await cancelBill(tx, params.bill_id)
      return findBill(read, params.bill_id)
    }),
  query('/bills/{bill_id}/file', 'getBillFile')
    .says('Fetch the original: a fresh link, good for 15 minutes')
    .of('bill')
    .delegates('read')
    .can('bills.read')
    .answers(BillFile)
    .does(({ read, params }) => findBillFile(read, params.bill_id)),
  query('/bills/{bill_id}/provenance', 'getBillProvenance')
    .says('Read the provenance of each field of a bill', 'Who typed it, or on which page and where it was read.')
    .of('bill')
    .delegates('read')
    .can('bills.read')
    .answers(Provenance)
    .does(({ read, params }) => findProvenance(read, params.bill_id)),
  query('/bills/{bill_id}/pages/{n}.png', 'getBillPage')
    .says(
      'Download a page of a bill as PNG',
      '`mark` marks the fields that were read. Boxes of the provenance fit on it: two pixels are a point, as long ' +
        'as the page is no larger than A3. ' +
        'XML has no pages. Four pages at a time are drawn for a person, and six for an organization.',
    )
    .of('bill')
    .delegates('read')
    .can('bills.read')
    .named(v.object({ n: pageNumber }))
    .filters(BillPageQuery)
    .cached('private')
    .refuses('invalid_file')
    .answers(bytes('image/png'), ({ bill_id, n }) => `bill-${bill_id}-${n}.png`)
    .does(async ({ read, org, person, params, query }) => {
      const { bill_id: billId, n } = params
      if (n === 0) refuse('not_found')
      const original = await findOriginal(read, billId)
      const found = query.mark ? (await findProvenance(read, billId)).data : []
      const boxes = found.flatMap(({ page, box }) => (page === n && box ? [box] : []))
      const callers = { organization: org.organizationId, person: person.userId }
      const load = async () => {
        const bytes = (await bytesOf(original)) ?? refuse('invalid_file', { reason: 'damaged' })
        return { bytes, contentType: original.content_type }
      }
      return drawInTurn(callers, { number: n, boxes, load })
    }),
]
