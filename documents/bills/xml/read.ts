/** Electronic invoices in XML: a file, or XML within a PDF. */
import { type Reading, UnreadableBill } from '../../../domain/bills/reader.ts'
import { CII, ZUGFERD_1, invoiceOfCii } from './cii.ts'
import { parseXml } from '../../xml/document.ts'
import { type Element, isOfFamily } from '../../xml/element.ts'
import { invoicesOfFacturae } from './facturae.ts'
import { invoicesOfFatturaPa } from './fatturapa.ts'
import { readingOf, readingOfAll } from './invoice.ts'
import { invoicesOfKsef } from './ksef.ts'
import { invoiceOfUbl } from './ubl.ts'

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd:'
const ENVELOPE = 'http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader'

/** Roots of the forms below, and of their envelope: other XML is no invoice, whatever it has. */
export const INVOICE_ROOTS: readonly string[] = [
  'Invoice',
  'CreditNote',
  'CrossIndustryInvoice',
  'CrossIndustryDocument',
  'FatturaElettronica',
  'FatturaElettronicaSemplificata',
  'Facturae',
  'Faktura',
  'StandardBusinessDocument',
]

/**
 * Reads an invoice in the form of its root, also in an SBDH envelope. Deterministic. The forms are UBL 2.1, CII (Factur-X,
 * ZUGFeRD 2, XRechnung), ZUGFeRD 1, FatturaPA, Facturae, and FA(2) and FA(3) of KSeF. Throws UnreadableBill for what is
 * hostile, damaged, too large, or no bill.
 * @param from whether it is a file of its own, or within a PDF
 */
export function readXml(bytes: Uint8Array, from: 'file' | 'pdf'): Reading {
  const root = withoutEnvelope(parseXml(bytes))
  switch (`${root.namespace}#${root.name}`) {
    case `${UBL}Invoice-2#Invoice`:
    case `${UBL}CreditNote-2#CreditNote`:
      return readingOf('ubl', invoiceOfUbl(root))
    case 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100#CrossIndustryInvoice':
      return readingOf(from === 'pdf' ? 'factur-x' : 'cii', invoiceOfCii(root, CII))
    case 'urn:ferd:CrossIndustryDocument:invoice:1p0#CrossIndustryDocument':
      return readingOf('zugferd-1', invoiceOfCii(root, ZUGFERD_1))
    default:
      return readNational(root)
  }
}

/** Reads national forms by the root's name: FatturaPA and Facturae in any version, FA of KSeF. */
function readNational(root: Element): Reading {
  switch (isOfFamily(root.namespace) && root.name) {
    case 'FatturaElettronica':
    case 'FatturaElettronicaSemplificata':
      return readingOfAll('fatturapa', invoicesOfFatturaPa(root))
    case 'Facturae':
      return readingOfAll('facturae', invoicesOfFacturae(root))
    case 'Faktura':
      return readingOfAll('ksef', invoicesOfKsef(root))
    default:
      throw isOfFamily(root.namespace)
        ? new UnreadableBill('not_a_bill', 'The XML is a business document, but no invoice or credit note.')
        : new UnreadableBill(
            'unknown_format',
            'The XML is in no form of invoices that is read here: UBL 2.1, CII, ZUGFeRD 1, FatturaPA, Facturae, ' +
              'FA(2) and FA(3) of KSeF.',
          )
  }
}

function withoutEnvelope(root: Element): Element {
  if (root.namespace !== ENVELOPE) return root
  const [document, ...others] = root.children.filter(({ namespace }) => namespace !== ENVELOPE)
  if (!document || others.length > 0) {
    throw new UnreadableBill('ambiguous', 'The XML is an envelope that does not hold one document.')
  }
  return document
}
