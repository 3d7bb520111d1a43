import type { Config } from '../config.ts'
import type { Metrics } from '../http/metrics.ts'
import { excerpt } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { openMailService } from '../mail/mail-service.ts'

/** The mail service, with a metric by kind of message and outcome. */
export function openMail(config: Config, metrics: Metrics, log: Log) {
  const messages = metrics.registry.counter('mails_total', 'Mail messages by kind and outcome.')
  return openMailService({
    url: config.smtpUrl,
    from: config.smtpFrom,
    onSettled(kind, outcome) {
      messages({ kind, outcome }).add()
      if (outcome === 'dropped') log.warn('mail dropped: too many messages wait', { kind })
    },
    onFailure: (kind, cause, retryInMs) =>
      log.warn('mail could not be sent', { kind, cause: excerpt(cause), retry_in_ms: retryInMs }),
  })
}
