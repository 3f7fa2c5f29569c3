/** Host keys of SFTP servers that are played. */
import { generateKeyPairSync } from 'node:crypto'

/** Makes a private key, in PEM. By Node: of the Ed25519 keys that ssh2 makes, 1 of 150 cannot be read. */
export const newHostKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'sec1', format: 'pem' }).toString()
