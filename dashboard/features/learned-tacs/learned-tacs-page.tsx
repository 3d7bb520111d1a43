import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { ConfirmedTacWire } from '../../../src/contract/dashboard.ts'
import { apiPost } from '../../api.ts'
import { formatDay } from '../../format.ts'
import { useApiQuery } from '../../queries.ts'
import { useHasRole, useSession } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { ApiButton } from '../../ui/form.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { EmptyState, QueryView } from '../../ui/states.tsx'

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
  const columns = useModelColumns()
  return (
    <Card title={t('own')}>
      <QueryView query={query} skeletonLines={4} empty={<EmptyState title={t('none')} hint={t('noneHint')} />}>
        {(tacs) => (
          <DataTable
            label={t('own')}
            rows={tacs}
            rowKey={keyOf}
            columns={columns}
            actions={
              isOwner ? (tac) => <TacButton path="/account/tacs/forget" tac={tac} label={t('undo')} /> : undefined
            }
          />
        )}
      </QueryView>
    </Card>
  )
}

function AllTacs() {
  const { t } = useTranslation('tacs')
  const query = useApiQuery('/account/service/tacs')
  const columns = useModelColumns()
  return (
    <Card title={t('all')} note={t('allNote')}>
      <QueryView query={query} skeletonLines={4} empty={<EmptyState title={t('none')} />}>
        {(tacs) => (
          <DataTable
            label={t('all')}
            rows={tacs}
            rowKey={keyOf}
            columns={[
              ...columns,
              { title: t('organizations'), cell: (tac) => tac.organizations },
              {
                title: t('scope'),
                cell: (tac) =>
                  tac.confirmed_for_all || tac.organizations > 1 ? (
                    <Badge tone="good">{t(tac.confirmed_for_all ? 'byOperator' : 'byAgreement')}</Badge>
                  ) : (
                    <Badge>{t('oneOrganization')}</Badge>
                  ),
              },
            ]}
            actions={(tac) =>
              tac.confirmed_for_all ? (
                <TacButton path="/account/service/tacs/forget" tac={tac} label={t('undo')} />
              ) : (
                <TacButton path="/account/service/tacs/confirm" tac={tac} label={t('confirm')} />
              )
            }
          />
        )}
      </QueryView>
    </Card>
  )
}

const keyOf = (tac: ConfirmedTacWire) => `${tac.tac} ${tac.device_id}`

function useModelColumns(): Column<ConfirmedTacWire>[] {
  const { t } = useTranslation('tacs')
  return [
    { title: t('tac'), isRowName: true, cell: ({ tac }) => <code>{tac}</code> },
    {
      title: t('model'),
      cell: ({ device_id: id, device_name: name }) =>
        name === null ? id : <Link to={`/dashboard/devices/${id}`}>{name}</Link>,
    },
    { title: t('devices'), cell: ({ units }) => units },
    { title: t('last'), cell: ({ confirmed_at: at }) => formatDay(at) },
  ]
}

type TacPath = '/account/tacs/forget' | `/account/service/tacs/${'confirm' | 'forget'}`

const TacButton = ({ path, tac, label }: { path: TacPath; tac: ConfirmedTacWire; label: string }) => (
  <ApiButton send={() => apiPost(path, { tac: tac.tac, device_id: tac.device_id })}>{label}</ApiButton>
)
