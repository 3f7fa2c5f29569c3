/** Tasks in German: titles by kind, texts by the sentences of the API. A text that is not known stays as the API says it. */
import type { AttentionKind } from '../../../../domain/attention/attention.ts'
import { PROVIDER_FAILURES, type ProviderFailure, REMEDIES } from '../../../../domain/identity-providers/failures.ts'

const TITLES: Readonly<Record<AttentionKind, string>> = {
  review_approval: 'Über eine Freigabe entscheiden',
  question: 'Eine Frage zu einer Freigabe beantworten',
  sent_back: 'Eine zurückgegebene Anfrage ändern und neu stellen',
  fix_bill: 'Einen Beleg vervollständigen',
  pay_bill: 'Einen Beleg zahlen',
  check_bank_details: 'Eine neue Bankverbindung prüfen',
  unknown_sender: 'Über den Absender einer E-Mail entscheiden',
  mail_without_bill: 'Eine E-Mail ohne Rechnung ansehen',
  account_changed: 'Einen Empfänger anrufen, dessen Konto sich geändert hat',
  travel_rule: 'Sagen, wer eine Einzahlung gesendet hat',
  payment_on_hold: 'Eine Zahlung ist angehalten',
  payment_schedule_failed: 'An ihrem Tag nicht ausgeführt',
  payee_mismatch: 'Die Bank antwortet anders zu einem Empfänger',
  reconciliation_difference: 'Die Bücher und ein Partner weichen ab',
  database_behind: 'Die letzten Vorgänge fehlen vielleicht',
  overdue_invoice: 'Eine überfällige Zahlung anmahnen',
  undelivered_invoice: 'Eine Rechnung hat den Kunden nicht erreicht',
  undelivered_credit_note: 'Eine Gutschrift hat den Kunden nicht erreicht',
  allocate_deposit: 'Sagen, welche Rechnung bezahlt wurde',
  fix_batch: 'Eine Sammelzahlung berichtigen',
  complete_payee: 'Anschriften von Empfängern ergänzen',
  onboarding_needed: 'Angaben zu Ihrer Firma machen',
  onboarding_more_needed: 'Fehlende Angaben zu Ihrer Firma ergänzen',
  set_up_totp: 'Eine Authenticator-App einrichten',
  set_approval_policy: 'Eine zweite Person freigeben lassen',
  renew_subscription: 'Den nächsten Monat des Tarifs bezahlen',
  reconnect_accounting: 'Xero neu verbinden',
  failed_export: 'Ein Export ist gescheitert',
  failing_webhook: 'Ereignisse werden nicht zugestellt',
  failing_identity_provider: 'Niemand kann sich beim Identitätsanbieter anmelden',
  delegate_expiring: 'Ein Vertreter endet bald',
}

const BILL = '(?:The bill of ("[^"]*")|A bill)(?:, number ("[^"]*"),)?'
const bill = (supplier?: string, number?: string): string =>
  `${supplier ? `Der Beleg von ${supplier}` : 'Ein Beleg'}${number ? `, Nummer ${number},` : ''}`

type Translation = readonly [said: RegExp, german: (...parts: string[]) => string]

const TEXTS: readonly Translation[] = [
  [
    /^A contact is paid at a bank without an address of town and country, which banks ask for\.$/,
    () =>
      'Ein Empfänger wird auf ein Bankkonto bezahlt und hat keine Anschrift mit Ort und Land, nach der Banken fragen.',
  ],
  [
    /^(\d+) contacts are paid at a bank without an address of town and country, which banks ask for\.$/,
    (_, count) =>
      `${count} Empfänger werden auf ein Bankkonto bezahlt und haben keine Anschrift mit Ort und Land, nach der Banken fragen.`,
  ],
  [
    /^Each owner and admin may still approve what they asked for themselves\..*$/,
    () =>
      'Noch dürfen Inhaber und Admins selbst freigeben, worum sie gebeten haben. Da Sie jetzt mehrere sind, können Ihre Freigaberegeln eine andere Person verlangen.',
  ],
  [
    /^This organization requires one of everybody\..*$/,
    () => 'Ihre Firma verlangt sie von allen. Ohne sie können Sie nichts bestätigen.',
  ],
  [
    new RegExp(`^${BILL} asks for ([\\d.,]+ \\w+)\\.$`),
    (_, supplier, number, amount) => `${bill(supplier, number)} verlangt ${amount}.`,
  ],
  [
    new RegExp(`^${BILL} lacks what a payment needs\\.$`),
    (_, supplier, number) => `${bill(supplier, number)} sagt noch nicht alles, was eine Zahlung braucht.`,
  ],
  [
    new RegExp(`^${BILL} names an account that this supplier did not have before, or names it in part\\..*$`),
    (_, supplier, number) =>
      `${bill(supplier, number)} nennt ein Konto, das dieser Lieferant bisher nicht hatte, oder nur einen Teil davon. Fragen Sie auf einem Weg nach, den Sie kennen.`,
  ],
  [
    /^Another account of ("[^"]*") waits until ([\d-]+ [\d:]+ UTC)\..*$/,
    (_, name, until) =>
      `Ein anderes Konto von ${name} wartet bis ${until}. Rufen Sie den Empfänger unter einer Nummer an, die Sie schon kannten, und halten Sie den Anruf fest.`,
  ],
  [
    /^([\d.,]+ \w+) wait until it is known who sent them\..*$/,
    (_, amount) =>
      `${amount} warten, bis bekannt ist, wer sie gesendet hat. Sagt es niemand rechtzeitig, gehen sie zurück.`,
  ],
  [
    /^([\d.,]+ \w+)(?: from ("[^"]*"))? may pay an invoice that is open\.$/,
    (_, amount, payer) => `${amount}${payer ? ` von ${payer}` : ''} könnten eine offene Rechnung bezahlen.`,
  ],
  [
    /^The invoice ("[^"]*") was due on ([\d-]+), and is not paid\.$/,
    (_, number, due) => `Die Rechnung ${number} war am ${due} fällig und ist nicht bezahlt.`,
  ],
  [
    /^No mail with the (invoice|credit note) ("[^"]*") has reached its customer\..*$/,
    (_, what, number) =>
      `Keine Mail mit der ${what === 'invoice' ? 'Rechnung' : 'Gutschrift'} ${number} hat den Kunden erreicht. Prüfen Sie die Adresse.`,
  ],
  [
    /^("[^"]*"): (one row is|([\d,]+) rows are) not valid\.$/,
    (_, name, _count, many) => `${name}: ${many ? `${many} Zeilen sind` : 'eine Zeile ist'} nicht gültig.`,
  ],
  [
    /^("[^"]*") acts for you until ([\d-]+ [\d:]+ UTC)\..*$/,
    (_, name, until) =>
      `${name} handelt bis ${until} für Sie. Geben Sie ihm vorher ein neues Geheimnis und ein späteres Ende, oder verbinden Sie ihn neu.`,
  ],
  [
    /^(\d+) sign-ins at ("[^"]*") have failed, the last one at ([\d-]+ [\d:]+ UTC)\. (.*)$/,
    (_, count, host, at, remedy = '') =>
      `${count} Anmeldungen bei ${host} sind misslungen, die letzte um ${at}. ${sayRemedy(remedy)}`,
  ],
  [
    /^The plan ("[^"]*") could not be renewed: ([\d.,]+ \w+) were not available\.$/,
    (_, plan, amount) => `Der Tarif ${plan} ließ sich nicht verlängern: ${amount} waren nicht verfügbar.`,
  ],
]

const REMEDIES_IN_GERMAN: Readonly<Record<ProviderFailure, string>> = {
  provider_unreadable: 'Er antwortet nicht, oder nicht wie ein Anbieter: Fragen Sie den Betreiber.',
  provider_client:
    'Er weist uns ab: Das Geheimnis ist vielleicht abgelaufen. Legen Sie dort ein neues an, und geben Sie es hier ein.',
  provider_keys: 'Seine Unterschriften passen zu keinem seiner Schlüssel: Fragen Sie den Betreiber.',
  provider_clock: 'Seine Uhr weicht um mehr als eine Minute von unserer ab: Fragen Sie den Betreiber.',
}

function sayRemedy(said: string): string {
  const failure = PROVIDER_FAILURES.find((one) => REMEDIES[one] === said)
  return failure ? REMEDIES_IN_GERMAN[failure] : said
}

/** Names a task by its kind. */
export const titleTask = (kind: AttentionKind, said: string): string =>
  (TITLES as Readonly<Record<string, string>>)[kind] ?? said

/** Translates the text of a task; one that is not known here stays as it is. */
export function sayTask(summary: string): string {
  for (const [said, german] of TEXTS) {
    const parts = said.exec(summary)
    if (parts) return german(...parts)
  }
  return summary
}
