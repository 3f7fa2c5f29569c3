/** Bills in UBL 2.1, by Peppol BIS Billing 3 and XRechnung. */
import { document, tag } from './markup.ts'
import { type BillModel, type Line, type Party, type PayeeAccount, amountText, netOf, totalsOf } from './model.ts'
import { WORDS } from './words.ts'

export const UBL_PROFILES = {
  peppol: 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0',
  xrechnung: 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
} as const

const NAMESPACE = 'urn:oasis:names:specification:ubl:schema:xsd'

export function ublOf(bill: BillModel, profile: keyof typeof UBL_PROFILES): string {
  const isCredit = bill.typeCode === '381'
  const root = isCredit ? 'CreditNote' : 'Invoice'
  return document(
    tag(
      root,
      [
        tag('cbc:CustomizationID', UBL_PROFILES[profile]),
        tag('cbc:ID', bill.number),
        tag('cbc:IssueDate', bill.issueDate),
        isCredit ? null : tag('cbc:DueDate', bill.dueDate),
        tag(`cbc:${root}TypeCode`, bill.typeCode),
        tag('cbc:DocumentCurrencyCode', bill.currency),
        tag('cac:AccountingSupplierParty', partyOf(bill.seller)),
        tag('cac:AccountingCustomerParty', partyOf(bill.buyer)),
        tag('cac:PayeeParty', tag('cac:PartyName', tag('cbc:Name', bill.payeeName))),
        tag('cac:Delivery', tag('cbc:ActualDeliveryDate', bill.deliveryDate)),
        meansOf(bill, isCredit ? bill.dueDate : null),
        tag('cac:PaymentTerms', tag('cbc:Note', bill.termDays ? WORDS[bill.language].terms(bill.termDays) : null)),
        ...allowanceCharges(bill),
        ...totals(bill),
        ...bill.lines.map((line, index) => lineOf(bill, line, index, root)),
      ],
      {
        xmlns: `${NAMESPACE}:${root}-2`,
        'xmlns:cac': `${NAMESPACE}:CommonAggregateComponents-2`,
        'xmlns:cbc': `${NAMESPACE}:CommonBasicComponents-2`,
      },
    ),
  )
}

const partyOf = (party: Party) =>
  tag('cac:Party', [
    tag('cac:PartyName', tag('cbc:Name', `${party.name} (${party.city})`)),
    tag('cac:PostalAddress', [
      tag('cbc:StreetName', party.street),
      tag('cbc:CityName', party.city),
      tag('cbc:PostalZone', party.postcode),
      tag('cac:Country', tag('cbc:IdentificationCode', party.country)),
    ]),
    party.taxNumber &&
      tag('cac:PartyTaxScheme', [tag('cbc:CompanyID', party.taxNumber), tag('cac:TaxScheme', tag('cbc:ID', 'FC'))]),
    party.taxId &&
      tag('cac:PartyTaxScheme', [tag('cbc:CompanyID', party.taxId), tag('cac:TaxScheme', tag('cbc:ID', 'VAT'))]),
    tag('cac:PartyLegalEntity', tag('cbc:RegistrationName', party.name)),
  ])

function meansOf(bill: BillModel, dueDate: string | null) {
  const accounts: (PayeeAccount | null)[] =
    bill.meansCode === '58' || bill.meansCode === '30' ? [...bill.accounts] : [null]
  return accounts.map((account) =>
    tag('cac:PaymentMeans', [
      tag('cbc:PaymentMeansCode', bill.meansCode),
      tag('cbc:PaymentDueDate', dueDate),
      tag('cbc:PaymentID', bill.reference),
      account &&
        tag('cac:PayeeFinancialAccount', [
          tag('cbc:ID', account.iban ?? account.number),
          tag('cbc:Name', account.holder),
          tag('cac:FinancialInstitutionBranch', tag('cbc:ID', account.bic ?? account.branch)),
        ]),
      tag('cac:PaymentMandate', tag('cac:PayerFinancialAccount', tag('cbc:ID', bill.payerIban))),
    ]),
  )
}

const amount = (name: string, minor: bigint, { currency }: BillModel) =>
  tag(name, amountText(minor, currency), { currencyID: currency })

const categoryOf = (name: string, rate: number) =>
  tag(name, [tag('cbc:ID', 'S'), tag('cbc:Percent', String(rate)), tag('cac:TaxScheme', tag('cbc:ID', 'VAT'))])

const allowanceCharges = (bill: BillModel) =>
  (
    [
      ['false', bill.allowance],
      ['true', bill.charge],
    ] as const
  )
    .filter(([, minor]) => minor !== 0n)
    .map(([isCharge, minor]) =>
      tag('cac:AllowanceCharge', [
        tag('cbc:ChargeIndicator', isCharge),
        amount('cbc:Amount', minor, bill),
        categoryOf('cac:TaxCategory', bill.lines[0]?.rate ?? 0),
      ]),
    )

function totals(bill: BillModel) {
  const { lineTotal, net, taxes, tax, gross, payable } = totalsOf(bill)
  const unlessZero = (name: string, minor: bigint) => (minor === 0n ? null : amount(name, minor, bill))
  return [
    tag('cac:TaxTotal', [
      amount('cbc:TaxAmount', tax, bill),
      ...taxes.map((one) =>
        tag('cac:TaxSubtotal', [
          amount('cbc:TaxableAmount', one.base, bill),
          amount('cbc:TaxAmount', one.tax, bill),
          categoryOf('cac:TaxCategory', one.rate),
        ]),
      ),
    ]),
    tag('cac:LegalMonetaryTotal', [
      amount('cbc:LineExtensionAmount', lineTotal, bill),
      amount('cbc:TaxExclusiveAmount', net, bill),
      amount('cbc:TaxInclusiveAmount', gross, bill),
      unlessZero('cbc:AllowanceTotalAmount', bill.allowance),
      unlessZero('cbc:ChargeTotalAmount', bill.charge),
      unlessZero('cbc:PrepaidAmount', bill.prepaid),
      unlessZero('cbc:PayableRoundingAmount', bill.rounding),
      amount('cbc:PayableAmount', payable, bill),
    ]),
  ]
}

const lineOf = (bill: BillModel, line: Line, index: number, root: string) =>
  tag(`cac:${root}Line`, [
    tag('cbc:ID', String(index + 1)),
    tag(root === 'Invoice' ? 'cbc:InvoicedQuantity' : 'cbc:CreditedQuantity', String(line.quantity), {
      unitCode: 'C62',
    }),
    amount('cbc:LineExtensionAmount', netOf(line), bill),
    tag('cac:Item', [tag('cbc:Name', line.text), categoryOf('cac:ClassifiedTaxCategory', line.rate)]),
    tag('cac:Price', amount('cbc:PriceAmount', line.price, bill)),
  ])
