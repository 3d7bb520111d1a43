import { useEffect } from 'react'
import { Link } from 'wouter'
import { useHasTier } from '../../session.tsx'
import { DeviceSearchBox } from '../counter/device-search-box.tsx'

/** Where a day at the counter begins: one box for whatever is in hand. */
export function CounterHome() {
  const mayAppraise = useHasTier('paid')
  useEffect(() => {
    document.title = 'What is in your hand? · Device Intelligence'
  }, [])
  return (
    <section className="home">
      <h1>What is in your hand?</h1>
      {mayAppraise ? <DeviceSearchBox autoFocus /> : <p className="soft">Appraisals need the Paid tier.</p>}
      <p className="home-links">
        <Link to="/dashboard/list">Appraise a list</Link>
        <Link to="/dashboard/appraisals">Appraisals</Link>
        <Link to="/dashboard/devices">Browse devices</Link>
        <Link to="/dashboard/docs">Make your first call</Link>
      </p>
    </section>
  )
}
