/** Words of programs: keys, webhooks, delegates in English. */
export const programs = {
  heading: 'Programs',
}
