/** Words of programs in German: keys, webhooks, delegates. */
import type { programs as Words } from '../en/programs.ts'

export const programs: typeof Words = {
  notYours: 'Hier ist nichts für Sie',
  notYoursText: 'Inhaber und Admins der Firma sehen deren Schlüssel und Webhooks.',
  parts: {
    keys: { name: 'API-Schlüssel', text: 'Damit lesen Programme Ihrer Firma Guthaben und Zahlungen.' },
    webhooks: { name: 'Webhooks', text: 'Ereignisse Ihrer Firma, an eine Ihrer Adressen geschickt.' },
    delegates: { name: 'Vertreter', text: 'Programme und Agenten, die für Mitglieder handeln und nie entscheiden.' },
  },
}
