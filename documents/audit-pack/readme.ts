/** Text in front of an audit pack, for the auditor who opens it. */
export const README = `Audit pack

Extract the archive, and run in its folder, with Node.js 20 or later and without a network:

  node verify.mjs .

It prints what it counted, and ends with "The pack holds." and exit code 0, or names what does not hold, with exit
code 1. Take the script from the published source rather than from here if you do not trust the sender: it is
documents/audit-pack/verify.mjs there. Give it what you have from elsewhere:

  node verify.mjs . --key <fingerprint of the key>   (GET /api/v1/meta/event-log-keys)
  node verify.mjs . --head <place>:<hash>            (a head that you kept, or that a webhook brought)
  node verify.mjs . --seed <your seed>

population/   everything that began in the period, as CSV and as JSON Lines (one JSON on each line)
sample/       the items that the seed draws from each list
evidence/     the approval behind each of them: rule, people, factors, proofs, payee check, call-backs; signed (.jwt)
papers/       files of the items, by their ids
chain/        every event of the log from the opening head to the closing one
people.json   names of people, whose ids stand everywhere else
heads.json    heads of the log with their signatures, and keys.json the keys
manifest.json all of it with lengths and hashes, and signature.json who signed that
`
