/** Seals the message and the stack of every failure like any other payload: failures can quote requests. */
const { DefaultFailureConverter } = require('@temporalio/common')

exports.failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true })
