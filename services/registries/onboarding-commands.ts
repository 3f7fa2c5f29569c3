/** Commands of operators about onboardings: one operator proposes a verdict, and another confirms it. */
import { writeFile } from 'node:fs/promises'
import * as v from 'valibot'
import type { FileId, OrganizationId, VerdictId } from '../../domain/ids.ts'
import { WantedField } from '../../domain/onboarding/review.ts'
import { type Command, command, filter, id, json, oneOf, operator, reason, words } from '../../platform/commands.ts'
import { openPaper } from '../onboarding/papers.ts'
import { confirmVerdict, proposeVerdict, withdrawVerdict } from '../onboarding/verdicts.ts'
import { describeOnboarding, describeOnboardings, describeVerdict } from './onboarding-texts.ts'

export const ONBOARDING_COMMANDS: readonly Command[] = [
  command('onboarding list', [filter], describeOnboardings),
  command('onboarding show', [id<OrganizationId>('<organization id>')], describeOnboarding),
  command(
    'onboarding paper',
    [id<OrganizationId>('<organization id>'), id<FileId>('<paper id>'), words('<path>')],
    async (organizationId, paperId, path) => {
      const bytes = await openPaper(organizationId, paperId)
      if (!bytes) throw new Error('there is no such paper')
      await writeFile(path, bytes, { mode: 0o600, flag: 'wx' })
      return `${bytes.length} bytes are in ${path}: they name people, so delete them when you are done`
    },
  ),
  command(
    'onboarding',
    [oneOf<'approve' | 'reject'>(['approve', 'reject']), ...operator, id<OrganizationId>('<organization id>'), reason],
    async (verdict, who, code, organizationId, why) =>
      describeVerdict(
        'is proposed',
        await proposeVerdict(organizationId, { verdict, asks: [], reason: why }, { email: who, code }),
      ),
  ),
  command(
    'onboarding ask',
    [
      ...operator,
      id<OrganizationId>('<organization id>'),
      json(
        '<fields as JSON: [{"field": "documents.other", "reason": "…"}]>',
        v.pipe(v.array(WantedField), v.minLength(1)),
      ),
    ],
    async (who, code, organizationId, asks) =>
      describeVerdict(
        'is proposed',
        await proposeVerdict(organizationId, { verdict: 'ask', asks, reason: 'more is needed' }, { email: who, code }),
      ),
  ),
  command('onboarding confirm', [...operator, id<VerdictId>('<verdict id>')], async (who, code, verdictId) =>
    describeVerdict('is confirmed', await confirmVerdict(verdictId, { email: who, code })),
  ),
  command('onboarding withdraw', [...operator, id<VerdictId>('<verdict id>')], async (who, code, verdictId) =>
    describeVerdict('is withdrawn', await withdrawVerdict(verdictId, { email: who, code })),
  ),
]
