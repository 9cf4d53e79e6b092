"""In place of Airflow's."""

class AirflowFailException(Exception):
    """Fails the task at once."""
