/** Who acts: `callers.ADMINISTRATOR` for the site itself, in upgrade steps, commands and `start`; `callers.ANONYMOUS` for nobody. */
export { AGENT_SCOPES, type AgentScope } from '../people/authenticator.ts';
export {
  ADMINISTRATOR,
  ANONYMOUS,
  AUTHENTICATED_USERS,
  actingFor,
  callerAt as at,
  callerFor as of,
  confinedTo as confined,
  SYSTEM_USER,
  systemCaller as system,
  viewingAs as viewing,
} from '../security/caller.ts';
