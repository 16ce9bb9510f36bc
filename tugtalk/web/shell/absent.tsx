/** The address names a session that the host does not have. */
export function Absent() {
  return (
    <main class="session">
      <div class="empty absent">
        <h1>There is no such session</h1>
        <p>It was deleted, or the address belongs to another host.</p>
        <p>
          <a href="#/" class="button">
            All sessions
          </a>
        </p>
      </div>
    </main>
  );
}
