import { describePages } from '../src/guides/describe-pages.ts'

// A page for each system and product that people come from: each configuration and command on it works as written.
describePages('coming-from', 2)
