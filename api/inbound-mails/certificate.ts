/** Certificate of the mail server: one that was renewed is shown without a restart. */
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { log } from '../../platform/log.ts'

/** Paths of a certificate with its chain, and of its key, as PEM. */
export type CertificateFiles = { readonly cert: string; readonly key: string }
type Certificate = { readonly cert: Buffer; readonly key: Buffer }

/** Reads a certificate. Throws if a file cannot be read, or the key is of another certificate. */
export function readCertificate({ cert, key }: CertificateFiles): Certificate {
  const read = { cert: readFileSync(cert), key: readFileSync(key) }
  createSecureContext(read)
  return read
}

/**
 * Shows each renewed certificate of these files until the answer is called. While they cannot be used, as between the
 * writing of both, the one that is shown stays.
 */
export function followCertificate(
  files: CertificateFiles,
  shown: Certificate,
  everyMs: number,
  show: (renewed: Certificate) => void,
): () => void {
  let last = shown
  const look = () => {
    try {
      const now = readCertificate(files)
      if (now.cert.equals(last.cert) && now.key.equals(last.key)) return
      show(now)
      last = now
      log.info({ path: files.cert }, 'the mail server shows a renewed certificate')
    } catch (error) {
      log.warn({ err: error, path: files.cert }, 'the certificate of the mail server cannot be renewed')
    }
  }
  const looks = setInterval(look, everyMs).unref()
  return () => clearInterval(looks)
}
