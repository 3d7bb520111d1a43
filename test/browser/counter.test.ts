import { counterTests } from './counter-tests.ts'

counterTests('desk')
