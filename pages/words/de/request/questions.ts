/** Words about questions and about requests that are sent back in German. */
import type { questions as Questions, sentBack as SentBack } from '../../en/request/questions.ts'

export const questions: typeof Questions = {
  heading: 'Fragen',
  answer: 'Antwort',
  open: 'Noch nicht beantwortet',
  member: 'ein Mitglied',
  ask: 'Frage stellen…',
  to: 'An wen',
  text: 'Frage',
  hint: 'Sie geht als Link per E-Mail. Eine Frage entscheidet nichts.',
  send: 'Fragen',
  reply: 'Antworten…',
  sendReply: 'Antworten',
  files: 'Dateien, um die es in der Antwort geht',
}

export const sentBack: typeof SentBack = {
  said: 'Sie wurde zur Änderung zurückgegeben',
  by: 'Zurückgegeben von',
  change: 'Ändern und erneut anfragen',
  follows: 'Sie folgt auf eine Anfrage, die zurückgegeben wurde.',
  ask: 'Zurückgeben…',
  reason: 'Was zu ändern ist',
  hint: 'Die anfragende Person kann es ändern und erneut anfragen; keine Eingabe geht verloren.',
  send: 'Zurückgeben',
}
