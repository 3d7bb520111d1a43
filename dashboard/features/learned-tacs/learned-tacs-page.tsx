import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { ConfirmedTacWire } from '../../../src/contract/dashboard.ts'
import { apiPost } from '../../api.ts'
import { formatDay } from '../../format.ts'
import { useApiMutation, useApiQuery } from '../../queries.ts'
import { useHasRole, useSession } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { EmptyState, ErrorMessage } from '../../ui/states.tsx'

/** Models that were learned for type allocation codes: the organization's, and all of them for the operator. */
export function LearnedTacsPage() {
  const { t } = useTranslation('tacs')
  const { runs_service: isOperator } = useSession()
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <OwnTacs />
      {isOperator ? <AllTacs /> : null}
    </>
  )
}

function OwnTacs() {
  const { t } = useTranslation('tacs')
  const isOwner = useHasRole('owner')
  const query = useApiQuery('/account/tacs')
  return (
    <Card title={t('own')}>
      <QueryView query={query} skeletonLines={4} empty={<EmptyState title={t('none')} hint={t('noneHint')} />}>
        {(tacs) => (
          <DataTable label={t('own')} head={[t('tac'), t('model'), t('devices'), t('last')]} hasActions={isOwner}>
            {tacs.map((tac) => (
              <tr key={`${tac.tac} ${tac.device_id}`}>
                <ModelCells {...tac} />
                {isOwner ? (
                  <td className="row-actions">
                    <TacButton path="/account/tacs/forget" tac={tac} label={t('undo')} />
                  </td>
                ) : null}
              </tr>
            ))}
          </DataTable>
        )}
      </QueryView>
    </Card>
  )
}

function AllTacs() {
  const { t } = useTranslation('tacs')
  const query = useApiQuery('/account/service/tacs')
  return (
    <Card title={t('all')} note={t('allNote')}>
      <QueryView query={query} skeletonLines={4} empty={<EmptyState title={t('none')} />}>
        {(tacs) => (
          <DataTable
            label={t('all')}
            head={[t('tac'), t('model'), t('devices'), t('last'), t('organizations'), t('scope')]}
            hasActions
          >
            {tacs.map((tac) => (
              <tr key={`${tac.tac} ${tac.device_id}`}>
                <ModelCells {...tac} />
                <td data-label={t('organizations')}>{tac.organizations}</td>
                <td data-label={t('scope')}>
                  {tac.confirmed_for_all || tac.organizations > 1 ? (
                    <Badge tone="good">{t(tac.confirmed_for_all ? 'byOperator' : 'byAgreement')}</Badge>
                  ) : (
                    <Badge>{t('oneOrganization')}</Badge>
                  )}
                </td>
                <td className="row-actions">
                  {tac.confirmed_for_all ? (
                    <TacButton path="/account/service/tacs/forget" tac={tac} label={t('undo')} />
                  ) : (
                    <TacButton path="/account/service/tacs/confirm" tac={tac} label={t('confirm')} />
                  )}
                </td>
              </tr>
            ))}
          </DataTable>
        )}
      </QueryView>
    </Card>
  )
}

function ModelCells({ tac, device_id: deviceId, device_name: name, units, confirmed_at: at }: ConfirmedTacWire) {
  const { t } = useTranslation('tacs')
  return (
    <>
      <td>
        <code>{tac}</code>
      </td>
      <td data-label={t('model')}>
        {name === null ? deviceId : <Link to={`/dashboard/devices/${deviceId}`}>{name}</Link>}
      </td>
      <td data-label={t('devices')}>{units}</td>
      <td data-label={t('last')}>{formatDay(at)}</td>
    </>
  )
}

type TacPath = '/account/tacs/forget' | `/account/service/tacs/${'confirm' | 'forget'}`

function TacButton({ path, tac, label }: { path: TacPath; tac: ConfirmedTacWire; label: string }) {
  const change = useApiMutation()
  const send = () => change.mutate(() => apiPost(path, { tac: tac.tac, device_id: tac.device_id }))
  return (
    <>
      <Button isBusy={change.isPending} onClick={send}>
        {label}
      </Button>
      {change.error ? <ErrorMessage error={change.error} /> : null}
    </>
  )
}
