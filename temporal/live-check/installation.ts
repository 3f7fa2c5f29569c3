/** Checks of the installation itself: its configuration, keys, storage, and its operators. */
import { config, configurationFaults } from '../../platform/config.ts'
import { isReachable } from '../../platform/storage/storage.ts'
import { type Check, missing, ok, warning } from './check.ts'

const PAGE = 'docs/configuration.md'

const FILE_PAGE = 'docs/partners.md#connections'
const isOfFile = (fault: string): boolean => fault.startsWith('PARTNERS_FILE: ')

const listIds = (keys: readonly { readonly id: string }[]): string => keys.map(({ id }) => id).join(', ')

const hasWrongKeys = configurationFaults.some((fault) => /^(ENCRYPTION|EVENT_LOG)_KEYS/.test(fault))

export const installationChecks: readonly Check[] = [
  {
    name: 'configuration',
    page: PAGE,
    look: () =>
      Promise.resolve(
        configurationFaults.length === 0
          ? [ok('live refuses nothing')]
          : configurationFaults.map((fault) => ({ ...missing(fault), ...(isOfFile(fault) && { page: FILE_PAGE }) })),
      ),
  },
  {
    name: 'keys',
    page: 'docs/security.md',
    look: () =>
      Promise.resolve(
        hasWrongKeys
          ? []
          : [
              ok(
                `rows are sealed with ${listIds(config.encryptionKeys)}, logs signed with ${listIds(config.eventLogKeys)}`,
              ),
              warning('keep them apart from the database and its backups: without them nothing sealed can be opened'),
            ],
      ),
  },
  {
    name: 'storage',
    page: PAGE,
    async look() {
      await isReachable()
      const { bucket, folder } = config.storage
      if (bucket) return [ok(`the bucket ${bucket.name} answers`)]
      return [warning(`files are in ${folder}: every API and worker has to share it, and backups to have it`)]
    },
  },
  {
    name: 'operators',
    page: 'docs/operating.md',
    look: () =>
      Promise.resolve([
        config.operatorToken
          ? ok('OPERATOR_TOKEN is set; money is corrected by two operators, each with an authenticator')
          : missing('OPERATOR_TOKEN names no operator: nobody could open /operate'),
      ]),
  },
]
