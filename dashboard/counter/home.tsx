import { useEffect } from 'react'
import { Link } from 'wouter'
import { useMayUse } from '../session.tsx'
import { QuestionBox } from './question-box.tsx'

/** Where a day at the counter begins: one box for whatever is in hand. */
export function Home() {
  const mayAppraise = useMayUse('paid')
  useEffect(() => {
    document.title = 'What is in your hand? · Device Intelligence'
  }, [])
  return (
    <section className="home">
      <h1>What is in your hand?</h1>
      {mayAppraise ? <QuestionBox autoFocus /> : <p className="soft">Appraisals need the Paid tier.</p>}
      <p className="home-links">
        <Link to="/dashboard/list">Appraise a list</Link>
        <Link to="/dashboard/appraisals">Appraisals</Link>
        <Link to="/dashboard/devices">Browse devices</Link>
        <Link to="/dashboard/docs">Make your first call</Link>
      </p>
    </section>
  )
}
