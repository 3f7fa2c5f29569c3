/** Due date of terms in words: "30 days net", "zahlbar innerhalb von 14 Tagen". */
import { daysAfter } from '../../domain/instants.ts'
import { isDate } from './verified.ts'

const DAYS = /\b([0-9]{1,3})\s*(?:calendar\s+|kalender)?(?:days?|tage?n?|jours?|d[ií]as?|giorn[io]|dagen|dag)\b/giu
/** Words of periods from another day, or for a part of the amount. */
const OTHERWISE =
  /skonto|discount|rabatt?|escompte|descuento|sconto|korting|%|monat|month|mois|\bmes(?:es)?\b|mes[ei]\b|maand|erhalt|receipt|r[ée]ception|recepci[óo]n|ricevimento|ricezione|ontvangst|liefer|deliver|livraison|entrega|consegna|levering|werktag|business|working|ouvr|h[áa]bil|lavorativ|werkdag|verzug|late|overdue|retard|retraso|ritardo|mahn/iu
const DAYS_MAX = 365

/** Computes the due date; null for several periods, another first day, a discount, or no period. */
export function dueDateByTerms(terms: string, issueDate: string): string | null {
  if (!isDate(issueDate) || OTHERWISE.test(terms)) return null
  const periods = new Set(Array.from(terms.matchAll(DAYS), ([, days]) => Number(days)))
  const [days] = periods
  if (days === undefined || periods.size > 1 || days > DAYS_MAX) return null
  return daysAfter(issueDate, days)
}
