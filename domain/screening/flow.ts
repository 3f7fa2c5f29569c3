/** States of a screening: asked, answered, and, if a name may be a listed one, decided by two operators. */
import { flow } from '../flow.ts'

export const SCREENING_STATUSES = ['waiting', 'clear', 'possible', 'cleared', 'confirmed', 'superseded'] as const
export type ScreeningStatus = (typeof SCREENING_STATUSES)[number]

export const screeningFlow = flow({
  noun: 'screening',
  table: 'screenings',
  workflow: 'screening',
  summary: () => 'Screening of a name against lists of sanctions',
  states: SCREENING_STATUSES,
  driven: ['waiting'],
  events: {
    pass: { from: ['waiting'], to: 'clear', logs: 'passed' },
    hold: { from: ['waiting'], to: 'possible', logs: 'held' },
    clear: { from: ['possible'], to: 'cleared', logs: 'cleared' },
    confirm: { from: ['possible'], to: 'confirmed', logs: 'confirmed' },
    supersede: { from: ['waiting'], to: 'superseded', logs: 'superseded' },
  },
})
